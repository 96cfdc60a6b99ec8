"""A bot in Python that other programs find by name: `pip install ./examples/timid`."""

from karma import Move, View


class TimidBot:
    """Takes small piles before they grow, and otherwise plays the lowest card that fits."""

    def __init__(self, name: str, *, seed: int = 0, small: int = 2) -> None:
        self.name = name
        self.small = small

    def choose(self, view: View) -> Move:
        taking = Move("P")
        if taking in view.legal and len(view.pile) <= self.small:
            return taking
        return view.legal[0]
