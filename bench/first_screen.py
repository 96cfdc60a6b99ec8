"""How long until `karma play` shows its first screen: after installation, and later on.

Each time a fresh `karma play` is started in a terminal of its own, and read until the set-up offers
a game. The first finds no machine code of an earlier one, the others all that a game needs.
"""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

OFFERS = b"House rules"  # on the set-up and nowhere before it
LATER = 5


def until_offered(folder: str) -> tuple[float, float]:
    """Seconds of the clock and of the processor until a game is offered; files are in a folder."""
    began = time.perf_counter()
    process, terminal = pty.fork()
    if not process:
        command = [sys.executable, "-m", "karma", "play", "--lang", "en"]
        os.execve(sys.executable, command, {**at_home(folder), "TERM": "xterm-256color"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = b""
    try:
        while OFFERS not in shown:
            shown += os.read(terminal, 65536)
    except OSError:
        sys.exit(f"karma play ended before it offered a game:\n{shown.decode(errors='replace')}")
    passed = time.perf_counter() - began
    os.kill(process, signal.SIGKILL)
    used = os.wait4(process, 0)[2]
    os.close(terminal)
    return passed, used.ru_utime + used.ru_stime


def at_home(folder: str) -> dict[str, str]:
    """The environment of somebody whose files are all in a folder."""
    return os.environ | dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME"), folder)


def main() -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        passed, used = until_offered(folder)
        print(f"after installation: {passed:.2f} s, {used:.2f} s of a processor")
        script = "from karma.tui.preparation import compile_game; compile_game()"
        subprocess.run([sys.executable, "-c", script], env=at_home(folder), check=True)
        times = sorted(until_offered(folder) for _ in range(LATER))
    passed, used = times[LATER // 2]
    print(f"later on: {passed:.2f} s, {used:.2f} s of a processor (the middle of {LATER})")


if __name__ == "__main__":
    main()
