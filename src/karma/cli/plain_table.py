"""A game in plain text against bots: one thing a line, for pipes and screen readers.

A player types moves as records write them (``7``, ``12x2``, ``P``), or a letter or word that shows
something again. Whatever else is typed gets one line that says what would be right.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from karma.game import Game
from karma.moves import InvalidMove, Move
from karma.refusals import why_not
from karma.rulebook import karma_card, karma_cards, rulebook
from karma.text import (
    event_text,
    hand_text,
    move_text,
    pile_text,
    quiet_text,
    refusal_text,
    seat_text,
    stock_text,
    turn_text,
    view_text,
)
from karma.texts import Texts
from karma.view import View

if TYPE_CHECKING:
    from karma.bots import Bot

LETTERS = {
    "?": "help",
    "v": "state",
    "a": "hand",
    "l": "last",
    "i": "pile",
    "o": "counts",
    "h": "hint",
    "r": "rules",
    "q": "quit",
}
"""The keys of the table in the terminal; none of them is the text of a move."""


class Quit(Exception):
    """The player wants to stop."""


class PlainGame:
    """One person at a table of bots, by lines of text."""

    def __init__(
        self,
        game: Game,
        bots: "Mapping[int, Bot]",
        say: Texts,
        read: Callable[[], str] | None = None,
        write: Callable[[str], None] = print,
        keep: Callable[[Game], None] = lambda game: None,
    ) -> None:
        self.game = game
        self.bots = bots
        self.say = say
        self.seat = next(seat for seat in range(len(game.players)) if seat not in bots)
        self._read = read or _read_line
        self._write = write
        self._keep = keep
        self._last: list[str] = []
        self._commands = {
            **LETTERS,
            **{name: name for name in LETTERS.values()},
            **{say(f"play_word_{name}"): name for name in LETTERS.values()},
        }

    def play(self) -> None:
        """Plays to the end; Quit, EOFError and KeyboardInterrupt leave the game where it is."""
        game, say = self.game, self.say
        players = ", ".join(game.players)
        rules = game.rules.replace(stall_limit=0)  # a safeguard, not worth a word here
        self._write(say("play_welcome", rules=rules, players=players))
        while not game.over:
            assert game.actor is not None
            view = game.view(game.actor)
            bot = self.bots.get(game.actor)
            move = self._ask(view) if bot is None else bot.choose(view)
            self._last = self._told(move)
            for line in self._last:
                self._write(line)
            if bot is None:
                self._keep(game)
        if places := game.view(None).places:
            names = ", ".join(game.players[seat] for seat in places)
            self._write(say("play_places", names=names))

    def _told(self, move: Move) -> list[str]:
        events = self.game.push(move)
        return [event_text(event, self.game.players, self.seat, self.say) for event in events]

    # ---- asking ---------------------------------------------------------------------------------

    def _ask(self, view: View) -> Move:
        self._write(turn_text(view, self.say))
        if warning := quiet_text(view, self.say):
            self._write(warning)
        if view.phase == "play" and view.pile:
            self._write(pile_text(view, self.say))
        self._write(self._own_cards(view))
        while True:
            entry = self._read().strip()
            if command := self._commands.get(entry.lower()):
                self._show(command, view)
            elif entry:
                answer = read_move(entry, view, self.say)
                if isinstance(answer, Move):
                    return answer
                self._write(answer)

    def _own_cards(self, view: View) -> str:
        if view.hand and view.must_play != "table-card":
            return hand_text(view, self.say)
        return f"{seat_text(view, self.seat, self.say)} {hand_text(view, self.say)}"

    def _show(self, command: str, view: View) -> None:
        say = self.say
        match command:
            case "help":
                lines = self._help(view)
            case "state":
                lines = [view_text(view, say)]
            case "hand":
                lines = [hand_text(view, say), say("play_may", moves=_texts(view.legal))]
            case "last":
                lines = self._last or [say("nothing_yet")]
            case "pile":
                lines = [pile_text(view, say), turn_text(view, say)]
            case "counts":
                seats = range(len(view.players))
                lines = [*(seat_text(view, seat, say) for seat in seats), stock_text(view, say)]
            case "hint":
                from karma.advice import advice_text, reasons
                from karma.bots import make_bot

                moves = [make_bot("steady").choose(view)]
                lines = [advice_text(moves, reasons(moves, view), view, say)]
            case "rules":
                lines = [rulebook(view.rules, say.language).text()]
            case _:
                raise Quit
        for line in lines:
            self._write(line)

    def _help(self, view: View) -> list[str]:
        say = self.say
        moves = [f"{move}: {move_text(move, view, say)}" for move in view.legal]
        cards = [karma_card(kind, view.rules, say) for kind in karma_cards(view.rules)]
        commands = [
            say(
                "play_help_command",
                letter=letter,
                word=say(f"play_word_{name}"),
                meaning=say(f"play_meaning_{name}"),
            )
            for letter, name in LETTERS.items()
        ]
        return [
            say("play_help_moves"),
            *moves,
            say("play_help_karma"),
            *cards,
            say("play_help_commands"),
            *commands,
        ]


def read_move(entry: str, view: View, say: Texts) -> Move | str:
    """The legal move that was typed, or the sentence that says why there is none.

    The marks ``^``, ``>`` and ``?`` may be left out, and a player be given the pile by name.
    """
    text = "".join(entry.upper().split()).replace("Х", "X").replace("×", "X").replace("X", "x")
    seats = [f">{seat}" for seat, name in enumerate(view.players) if name.upper() == entry.upper()]
    legal = {move.text: move for move in view.legal}
    marks = sorted({move.text[0] for move in view.legal} & set("^>?"))
    candidates = [*(mark + text for mark in marks), *seats, text]
    for candidate in candidates:
        if candidate in legal:
            return legal[candidate]
    for candidate in candidates:
        try:
            return refusal_text(why_not(view, Move(candidate)), say)
        except InvalidMove:
            continue
    shown = entry if len(entry) <= 20 else entry[:20] + "…"
    return say("play_nonsense", entry=shown, moves=_texts(view.legal))


def _texts(moves: Sequence[Move]) -> str:
    return ", ".join(map(str, moves))


def _read_line() -> str:
    """A line of standard input; what a pipe types is shown, so that its output reads alike."""
    entry = input("> ")
    if not sys.stdin.isatty():
        print(entry)
    return entry
