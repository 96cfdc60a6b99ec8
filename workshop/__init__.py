"""The workshop: what makes the pages and the weights that Karma ships; it is not installed.

`battery` plays the games behind the page on strength, `strength` writes that page, `tuning` finds
the weights of the rules of thumb, `pictures` draws training runs, `publication` puts a run's
champion into the package. Prose is in `pages/`; each is run from the project's folder, such as
``python -m workshop.pictures training/mini-2 docs/pictures``.
"""
