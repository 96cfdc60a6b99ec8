"""A recorded game told in plain text, from a seat's eyes or the audience's."""

from collections.abc import Callable

from karma.game import Game
from karma.record import Record
from karma.text import event_text, view_text
from karma.texts import Texts


class PlainReplay:
    """A walk through a game, forward and back."""

    def __init__(
        self,
        record: Record,
        number: int,
        seat: int | None,
        language: str,
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
    ) -> None:
        self.record = record
        self.seat = seat
        self.say = Texts(language)
        self.game: Game = record.deal()
        self._read = read
        self._write = write
        players = ", ".join(record.players)
        self._write(self.say("replay_title", game=number, rules=record.rules, players=players))

    def tell(self) -> None:
        """The whole game: the deal, every move, the end."""
        self._show()
        while self.game.ply < len(self.record.moves):
            self._on()
        self._show()

    def walk(self) -> None:
        """The game at the reader's pace."""
        self._show()
        self._write(self.say("replay_prompt"))
        last = len(self.record.moves)
        while True:
            try:
                entry = self._read("> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if entry == "q":
                return
            if not entry and self.game.ply < last:
                self._on()
            elif entry in ("", "s"):
                self._show()
            elif entry == "b" and self.game.ply:
                self._go(self.game.ply - 1)
            elif entry.isdecimal() and int(entry) <= last:
                self._go(int(entry))
            else:
                self._write(self.say("replay_nonsense", entry=entry[:20], last=last))

    def _on(self) -> None:
        ply, move = self.game.ply, self.record.moves[self.game.ply]
        hidden = self.game.phase == "choose" and self.game.actor != self.seat
        self._write(self.say("replay_ply", ply=ply, move="^" if hidden else move))
        for event in self.game.push(move):
            self._write(event_text(event, self.game.players, self.seat, self.say))

    def _go(self, ply: int) -> None:
        while self.game.ply > ply:
            self.game.pop()
        while self.game.ply < ply:
            self.game.push(self.record.moves[self.game.ply])
        self._show()

    def _show(self) -> None:
        self._write(view_text(self.game.view(self.seat), self.say))
