"""Bots of other people that do everything wrong, and one that does it right."""

import os
import sys
import time
from pathlib import Path


class First:
    """The first legal move: all that a bot needs is a method."""

    def choose(self, view):
        return view.legal[0]


class Listening:
    """Writes down what it hears, and what it is asked."""

    def __init__(self, *, seed=0):
        self.notes = Path(os.environ["KARMA_TEST_NOTES"])

    def note(self, text):
        with self.notes.open("a") as file:
            file.write(text + "\n")

    def hear(self, events):
        self.note("heard " + " ".join(type(event).__name__ for event in events))

    def choose(self, view):
        self.note(f"asked {view.ply}")
        if self.notes.read_text().count("asked") == 8:
            os._exit(1)
        return view.legal[0]


class Failing:
    """Fails in the way that the option says."""

    def __init__(self, *, how=0):
        self.how = how

    def hear(self, events):
        if self.how == 9:
            raise RuntimeError("I will not listen")

    def choose(self, view):
        print("what a bot prints is nobody's answer")
        if self.how == 0:
            raise ZeroDivisionError("oh")
        if self.how == 1:
            sys.exit(3)
        if self.how == 2:
            os._exit(4)
        if self.how == 3:
            time.sleep(1000)
        if self.how == 4:
            while True:
                print("endless" * 1000)
        if self.how == 5:
            return "17"
        if self.how == 6:
            return object()
        if self.how == 7:
            return type("Liar", (), {"__str__": lambda self: 1 / 0})()
        if self.how == 8:
            raise type("Silent", (Exception,), {"__str__": lambda self: 1 / 0})()
        if self.how == 10:
            os.close(1)
            os.close(2)
            os.killpg(0, 9)
        return view.legal[0]


class Forking:
    """Leaves children behind, and answers all the same."""

    def choose(self, view):
        if os.fork() == 0 and view.ply % 2:
            time.sleep(1000)
        return view.legal[0]


class Everything:
    """Sleeps, exits, prints, forks, answers nonsense and raises, in turn."""

    def __init__(self, *, seed=0):
        self.seed = seed

    def hear(self, events):
        if self.seed % 3 == 1:
            raise RuntimeError("I will not listen")

    def choose(self, view):
        return Failing(how=(view.ply + self.seed) % 11).choose(view)


class Unmakable:
    """Cannot be made."""

    def __init__(self):
        sys.exit(5)


class Mute:
    """Has no method at all."""
