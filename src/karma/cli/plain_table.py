"""A seat at a table by lines of text: one thing a line, for pipes and screen readers.

A player types moves as records write them (``7``, ``12x2``, ``P``), or a letter or word that shows
something. Whatever else is typed gets one line that says what would be right. The table's messages
come in another thread; this one waits for what is typed.
"""

import asyncio
import secrets
import sys
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import cast

from karma.cli.loop_thread import LoopThread
from karma.cli.plain_input import LETTERS, commands, in_order, move_texts, read_move
from karma.moves import Move
from karma.protocol import messages
from karma.protocol.messages import Ack, Advice, FromClient, FromServer, Refused
from karma.rulebook import karma_card, karma_cards, rulebook
from karma.table.requests import Request
from karma.table.requests.game import Act, Hint, Rematch, Undo
from karma.table.requests.host import Start
from karma.text import (
    hand_text,
    move_text,
    pile_text,
    quiet_text,
    seat_text,
    stock_text,
    turn_text,
    view_text,
)
from karma.texts import Texts
from karma.tui.connection import Connection, TableGone
from karma.tui.menu import wishes
from karma.tui.mirror import Mirror
from karma.tui.news import hint_text, lines, lines_of_this_game, told_error
from karma.view import View

LONG = 3.0  # seconds, after which a word is said


class Quit(Exception):
    """The player wants to stop."""


class PlainTable:
    """A table as somebody hears it, and what they type."""

    def __init__(
        self,
        connection: Connection,
        loop: LoopThread,
        say: Texts,
        *,
        far: str | None = None,
        read: Callable[[], str] | None = None,
        write: Callable[[str], None] = print,
    ) -> None:
        self.mirror = Mirror()
        self.say = say
        self.far = far
        """The server that other people are at; None for a table in this program."""
        self._connection = connection
        self._loop = loop
        self._read = read or _read_line
        self._write = write
        self._news: SimpleQueue[str | None] = SimpleQueue()
        """Something may have to be decided now; at the end, why the table is gone."""
        self._answers: SimpleQueue[Ack | Refused | Advice] = SimpleQueue()
        self._last: list[str] = []
        self._decided: object = None
        self._warned: int | None = None  # the game in which taking back was asked for once
        self._welcomed = False
        self._commands = commands(say)

    def play(self) -> None:
        """Plays to the end; Quit, EOFError and KeyboardInterrupt leave the game where it is."""
        self._loop.start(self._listen())
        while True:
            gone = self._news.get()
            if gone is not None:
                self._write(told_error(gone, {}, self.say))
                return
            if self._over and self.far is None:
                return
            if self._open and self._moment != self._decided:
                self._prompt()
                while self._open and not self._obey(self._read().strip()):
                    pass

    # ---- listening, in the other thread ---------------------------------------------------------

    async def _listen(self) -> None:
        try:
            while True:
                self._take(await self._receive())
        except TableGone as gone:
            self._news.put(str(gone))

    async def _receive(self) -> FromServer:
        """The next message; a connection that is down is told once, and when it is up again."""
        waiting = asyncio.ensure_future(self._connection.receive())
        told = False
        while not (await asyncio.wait([waiting], timeout=2))[0]:
            away = self._connection.away
            if away is not None and not told and self._welcomed:
                told = True
                self._write(self.say("tui_away", seconds=away))
        if told:
            self._write(self.say("play_back"))
        return waiting.result()

    def _take(self, message: FromServer) -> None:
        match message:
            case messages.Welcome():
                happened = self.mirror.take(message)
                self._welcome(lines_of_this_game(happened, self.mirror, self.say))
                self._news.put(None)
            case messages.Update():
                happened = self.mirror.take(message)
                self._tell(lines(happened, self.mirror, self.say))
                if self._over and any(step.events for step in happened):
                    self._tell_places()
                self._news.put(None)
            case messages.Said(name=name, phrase=phrase, text=text):
                self._write(f"{name}: {text or self.say(f'phrase_{phrase}')}")
            case Ack() | Refused() | Advice():
                self._answers.put(message)
            case messages.Error(code=code, parameters=parameters):
                self._write(told_error(code, parameters, self.say))

    def _welcome(self, told: list[str]) -> None:
        table, you = self.mirror.table, self.mirror.you
        assert table is not None and you is not None
        if not self._welcomed:
            rules = self.mirror.view.rules if self.mirror.view is not None else None
            name = rules.replace(stall_limit=0) if rules is not None else table.settings.edition
            players = ", ".join(seat.name for seat in self.mirror.seats)
            self._write(self.say("play_welcome", rules=name, players=players))
            if self.far is not None and you.invite is not None:
                self._write(self.say("tui_invite", link=f"{self.far}/join/{you.invite}"))
        self._welcomed = True
        self._tell(told)

    def _tell(self, told: list[str]) -> None:
        for line in told:
            self._write(line)
        self._last += told

    def _tell_places(self) -> None:
        view = self.mirror.view
        if view is not None and view.places:
            names = ", ".join(view.players[seat] for seat in view.places)
            self._write(self.say("play_places", names=names))

    # ---- deciding -------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        table = self.mirror.table
        return table is not None and table.phase in ("over", "closed")

    @property
    def _yours(self) -> View | None:
        """The view from which you decide, if you do."""
        table, view = self.mirror.table, self.mirror.view
        playing = table is not None and table.phase == "playing" and not table.paused
        return view if playing and view is not None and view.legal else None

    @property
    def _hosting(self) -> bool:
        table, you = self.mirror.table, self.mirror.you
        return table is not None and you is not None and table.phase == "lobby" and you.host

    @property
    def _open(self) -> bool:
        """Is there anything to decide?"""
        return self._yours is not None or self._hosting or self._over

    @property
    def _moment(self) -> object:
        """What tells one decision from the next."""
        table, view = self.mirror.table, self._yours
        if view is None or table is None:
            return self._hosting, self._over, table.game if table is not None else 0
        return table.game, view.ply, view.hand

    def _prompt(self) -> None:
        view = self._yours
        if view is None:
            self._write(self.say("play_over_far" if self._over else "play_lobby"))
            return
        if self._connection.left_out:
            self._write(self.say("left_out"))
        self._write(turn_text(view, self.say))
        if warning := quiet_text(view, self.say):
            self._write(warning)
        if view.phase == "play" and view.pile:
            self._write(pile_text(view, self.say))
        self._write(self._own_cards(view))

    def _own_cards(self, view: View) -> str:
        if view.source == "hand" or view.phase != "play":
            return hand_text(view, self.say)
        assert view.seat is not None
        return f"{seat_text(view, view.seat, self.say)} {hand_text(view, self.say)}"

    def _obey(self, entry: str) -> bool:
        """Does what was typed; True if that was a decision."""
        view = self._yours
        command = self._commands.get(entry.lower())
        if command is not None:
            return self._do(command)
        if view is None:
            if not entry and self._hosting:
                return self._ask(Start(id=_id()))
            self._prompt()
            return False
        self._warned = None
        if not entry:
            return False
        answer = read_move(entry, view, self.say)
        if isinstance(answer, str):
            self._write(answer)
            return False
        return self._act(answer, view)

    def _act(self, move: Move, view: View) -> bool:
        assert self.mirror.table is not None
        if self._connection.left_out:  # said once more, before anything is played
            self._connection.play_on()
            self._write(f"{self.say('left_out')} {self.say('left_out_again')}")
            return False
        self._decided, self._last = self._moment, []
        game = self.mirror.table.game
        return self._ask(Act(id=_id(), game=game, ply=view.ply, moves=[move.text]))

    def _ask(self, request: Request) -> bool:
        """Asks the table for something; False if it says no, and then it says why."""
        self._loop.run(self._connection.send(cast("FromClient", request)))
        while (answer := self._answers.get()).id != request.id or isinstance(answer, Advice):
            pass
        if isinstance(answer, Refused):
            self._decided = None
            self._write(told_error(answer.code, answer.parameters, self.say))
        return isinstance(answer, Ack)

    # ---- commands -------------------------------------------------------------------------------

    def _do(self, command: str) -> bool:
        """Does what a letter or word asks for; True if that was a decision."""
        match command:
            case "quit":
                raise Quit
            case "undo":
                return self._undo()
            case "menu":
                return self._choose_from_menu()
            case "hint":
                self._hint()
            case _:
                for line in self._shown(command):
                    self._write(line)
        return False

    def _shown(self, command: str) -> list[str]:
        say, view = self.say, self.mirror.view
        if command == "help":
            return self._help()
        if view is None:
            return [say("nothing_yet")]
        match command:
            case "state":
                return [view_text(view, say, known=self.mirror.memory_aid)]
            case "hand":
                may = [say("play_may", moves=move_texts(view.legal))] if view.legal else []
                return [hand_text(view, say), *may]
            case "log":
                return self._last or [say("nothing_yet")]
            case "pile":
                return [pile_text(view, say), turn_text(view, say)]
            case "counts":
                known, seats = self.mirror.memory_aid, range(len(view.players))
                told = [seat_text(view, seat, say, known=known) for seat in seats]
                return [*told, stock_text(view, say)]
        return [rulebook(view.rules, say.language).text()]

    def _help(self) -> list[str]:
        say, view = self.say, self._yours
        explained: list[str] = []
        if view is not None:
            moves = [f"{move}: {move_text(move, view, say)}" for move in in_order(view.legal)]
            cards = [karma_card(kind, view.rules, say) for kind in karma_cards(view.rules)]
            explained = [say("play_help_moves"), *moves, say("play_help_karma"), *cards]
        told = [
            say(
                "play_help_command",
                letter=letter,
                word=say(f"play_word_{name}"),
                meaning=say(f"play_meaning_{name}"),
            )
            for letter, name in LETTERS.items()
        ]
        return [*explained, say("play_help_commands"), *told]

    def _hint(self) -> None:
        view = self._yours
        if view is None:
            self._write(self.say("tui_no_hint_now"))
            return
        request = Hint(id=_id())
        if self._ask(request):
            answer = self._advice()
            self._write(hint_text(answer, view, self.say))

    def _advice(self) -> Advice:
        """The advice asked for; a word if it takes long."""
        seconds: float | None = LONG
        while True:
            try:
                answer = self._answers.get(timeout=seconds)
            except Empty:
                self._write(self.say("tui_thinking"))
                seconds = None
                continue
            if isinstance(answer, Advice):
                return answer

    def _undo(self) -> bool:
        table, view = self.mirror.table, self._yours
        if table is None or view is None:
            self._write(self.say("tui_no_hint_now"))
            return False
        if table.hints and not table.practice and self._warned != table.game:
            self._warned = table.game
            self._write(self.say("tui_undo_sure"))
            return False
        self._decided = None
        return self._ask(Undo(id=_id(), game=table.game, ply=view.ply))

    def _choose_from_menu(self) -> bool:
        """What a table's people can do beside playing, by number."""
        if self._over and self.far is not None:
            return self._ask(Rematch(id=_id()))
        found = wishes(self.mirror, self.say, _id()) if self.far is not None else []
        found = [wish for wish in found if isinstance(wish.action, Request)]
        for number, wish in enumerate(found, start=1):
            self._write(f"{number}: {wish.text}")
        entry = self._read().strip() if found else ""
        if entry.isdecimal() and 0 < int(entry) <= len(found):
            action = found[int(entry) - 1].action
            assert isinstance(action, Request)
            self._ask(action)
        return False


def _id() -> str:
    return secrets.token_hex(8)


def _read_line() -> str:
    """A line of standard input; what a pipe types is shown, so that its output reads alike."""
    entry = input("> ")
    if not sys.stdin.isatty():
        print(entry)
    return entry
