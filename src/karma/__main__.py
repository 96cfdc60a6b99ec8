"""`python -m karma` is the command `karma`."""

from karma.cli import main

if __name__ == "__main__":
    main()
