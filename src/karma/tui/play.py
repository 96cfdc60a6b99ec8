"""PlayScreen: a seat at a table, to play from."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import ClassVar, cast, get_args

import msgspec
from textual import events, on, work
from textual.binding import Binding, BindingType

from karma.editions import EDITIONS
from karma.moves import Move
from karma.protocol import messages
from karma.protocol.codes import Phrase
from karma.protocol.messages import FromClient
from karma.refusals import source_first, why_not
from karma.table.requests import Request
from karma.table.requests.game import Act, Hint, Rematch, Undo
from karma.table.requests.host import Change, Start
from karma.table.requests.seats import Leave
from karma.table.requests.talk import Chat, Mute, Say
from karma.text import (
    card_text,
    hand_text,
    move_text,
    pile_text,
    refusal_text,
    seat_text,
    stock_text,
)
from karma.tui.connection import Connection
from karma.tui.hand import Hand
from karma.tui.home import Plan
from karma.tui.house_rules import HouseRules
from karma.tui.keys import Key, seat_keys
from karma.tui.live_table import LiveTableScreen
from karma.tui.menu import wishes
from karma.tui.news import hint_text
from karma.tui.pages import Choices, Writing
from karma.tui.panels import OfferBar
from karma.tui.seats import Seats
from karma.view import View

PHRASES: tuple[Phrase, ...] = get_args(Phrase)


class PlayScreen(LiveTableScreen):
    """The table from your seat: shows what it is told, sends what you decide."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False, priority=True),
        Binding("right", "step(1)", show=False, priority=True),
        Binding("up,plus", "more(1)", show=False, priority=True),
        Binding("down,minus", "more(-1)", show=False, priority=True),
        Binding("enter", "decide", show=False, priority=True),
        Binding("space", "decide", show=False, priority=True),
        Binding("p", "pick_up", show=False),
        Binding("d", "draw", show=False),
        Binding("n", "leave_draw", show=False),
        Binding("h", "hint", show=False),
        Binding("u", "undo", show=False),
        Binding("e", "end", show=False),
        Binding("c", "confirm", show=False),
        Binding("a", "own_hand", show=False),
        Binding("i", "own_pile", show=False),
        Binding("o", "counts", show=False),
        Binding("y", "talk", show=False),
        Binding("m", "menu", show=False),
    ]

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._typed = ""
        self._ended_game = 0
        self._holding = False

    def all_keys(self) -> list[Key]:
        return [*seat_keys(self.say, far=self.karma.far), *super().all_keys()]

    # ---- deciding -------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Moves along the cards, or along the players while the pile is given."""
        self.hurry()
        view = self.shown
        if view is not None and view.phase == "give" and self.yours:
            seats = [int(move.text[1:]) for move in view.legal]
            now = seats.index(self.marked) if self.marked in seats else 0
            self.marked = seats[(now + by) % len(seats)]
            self.seats.mark(self.marked)
            self._show_offers()
        else:
            self.hand.step(by)

    def action_more(self, by: int) -> None:
        """Means more or fewer cards, or another player while the pile is given."""
        if self.shown is not None and self.shown.phase == "give":
            self.action_step(-by)
        else:
            self.hand.more(by)

    async def action_decide(self) -> None:
        """Makes the move that is pointed at; hurries on while others play."""
        table, you = self.mirror.table, self.mirror.you
        if table is not None and you is not None and table.phase == "lobby" and you.host:
            await self._ask(Start(id=self._action_id()))
            return
        if self.connection.left_out:
            self.hold()
            return
        if not self.yours:
            self.hurry()
            return
        view = self.shown
        assert view is not None
        if view.phase == "choose":
            if self.hand.left_to_choose:
                self.hand.toggle()
            else:
                await self.act(self.hand.choice)
        elif view.phase == "give" and self.marked is not None:
            await self.act([Move(f">{self.marked}")])
        elif view.phase == "draw":
            await self.act([Move("D")])
        elif self.hand.meant is not None:
            await self.act([self.hand.meant])

    async def action_pick_up(self) -> None:
        """Picks up the pile."""
        await self.act([Move("P")])

    async def action_draw(self) -> None:
        """Draws, where that is a decision."""
        await self.act([Move("D")])

    async def action_leave_draw(self) -> None:
        """Leaves the draw pile alone, where that is a decision."""
        await self.act([Move("N")])

    async def act(self, moves: Sequence[Move]) -> None:
        """Sends moves to the table, or says why they may not be made."""
        view, table = self.shown, self.mirror.table
        self.hurry()
        if view is None or table is None or not moves or not self.caught_up:
            return
        if view.phase != "choose" and moves[0] not in view.legal:
            self.tell(refusal_text(why_not(view, moves[0]), self.say), bad=True)
            return
        if self.karma.confirm and self._warned != moves[0] and moves[0].text[0] in "P?":
            self._warned = moves[0]
            what = move_text(moves[0], view, self.say)
            self.tell(self.say("tui_sure", what=what), bad=True)
            return
        texts = [move.text for move in moves]
        await self._ask(Act(id=self._action_id(), game=table.game, ply=view.ply, moves=texts))

    async def _ask(self, message: Act | Undo | Start) -> None:
        self._sent = message.id
        await self.connection.send(message)

    async def _wish(self, message: Request) -> None:
        """Asks for something that no move waits for."""
        self._wished = message.id
        await self.connection.send(cast("FromClient", message))

    def _action_id(self) -> str:
        return secrets.token_hex(8)

    # ---- pointing -------------------------------------------------------------------------------

    @on(Hand.Changed)
    def point(self) -> None:
        """The pointer moved: the offers follow, and a card that cannot be played says why."""
        view, meant = self.shown, self.hand.meant
        if view is None or not self.yours:
            return
        self._show_offers()
        self.tell("")
        if view.phase == "play" and meant is not None and not self.hand.playable(self.hand.pointed):
            self.tell(self._why(view, meant), bad=True)

    def _why(self, view: View, move: Move) -> str:
        if move in view.legal:  # the same kind may be played, from elsewhere
            return refusal_text(source_first(view), self.say)
        why = refusal_text(why_not(view, move), self.say)
        return f"{card_text(move.kind, self.say)}: {why}" if move.kind else why

    @on(Hand.Meant)
    async def mean(self) -> None:
        """A card was clicked twice."""
        await self.action_decide()

    @on(OfferBar.Taken)
    async def take_offer(self, taken: OfferBar.Taken) -> None:
        """An offer was clicked."""
        if taken.offer.moves:
            await self.act(taken.offer.moves)
        else:
            await self.run_action(taken.offer.action)

    @on(Seats.Picked)
    async def pick_seat(self, picked: Seats.Picked) -> None:
        """A seat was clicked: give the pile there; your own name picks the pile up."""
        view = self.shown
        if view is None or not self.yours:
            return
        if view.phase == "give":
            await self.act([Move(f">{picked.seat}")])
        elif picked.seat == view.seat:
            await self.act([Move("P")])

    async def on_key(self, event: events.Key) -> None:
        """Typing a card's name points at it."""
        character = (event.character or "").upper()
        if character in "GFTB" and character:
            self._typed = ""
            found = self.hand.point_at(character)
        elif character.isdigit() and character.isascii():
            self._typed = (self._typed + character)[-2:]
            found = self.hand.point_at(self._typed)
            if not found and len(self._typed) == 2:
                self._typed = character
                found = self.hand.point_at(character)
        else:
            self._typed = ""
            return
        event.stop()
        self.hurry()

    # ---- help -----------------------------------------------------------------------------------

    async def action_hint(self) -> None:
        """What a good bot would do, and why; it sees only your view."""
        table = self.mirror.table
        self.hurry()
        if self.shown is None or table is None or not self.yours:
            self.tell(self.say("tui_no_hint_now"))
        elif not table.hints:
            self.tell(self.say("tui_no_hints"), bad=True)
        else:
            self.tell(self.say("tui_thinking"))
            await self._wish(Hint(id=self._action_id()))

    def advised(self, advice: messages.Advice) -> None:
        """Shows what was advised, unless the game has gone on meanwhile."""
        view = self.shown
        if view is None or advice.ply != view.ply or not self.yours:
            return
        moves = [Move(text) for text in advice.moves]
        self.hand.aim(moves[0])
        self._show_offers()
        text = f"{self.say('tui_hint')} {hint_text(advice, view, self.say)}"
        self.tell(text)
        self.log_lines.add([text])

    async def action_undo(self) -> None:
        """Takes back your last move, and what followed."""
        table = self.mirror.table
        self.hurry()
        if table is None or self.shown is None:
            return
        if not table.hints:
            self.tell(self.say("tui_no_undo"), bad=True)
        elif self.yours and self.mirror.view is not None:
            if not table.practice and not self._warned_of_undo:
                self._warned_of_undo = True
                self.tell(self.say("tui_undo_sure"), bad=True)
                return
            ply = self.mirror.view.ply
            await self._ask(Undo(id=self._action_id(), game=table.game, ply=ply))

    def action_own_hand(self) -> None:
        """Your hand in words."""
        if self.shown is not None:
            self.tell(hand_text(self.shown, self.say))

    def action_own_pile(self) -> None:
        """The pile in words."""
        if self.shown is not None:
            self.tell(pile_text(self.shown, self.say))

    def action_counts(self) -> None:
        """Who holds how many cards."""
        view = self.shown
        if view is not None:
            seats = range(len(view.players))
            told = [seat_text(view, seat, self.say, known=self.memory_aid) for seat in seats]
            text = "\n".join([*told, stock_text(view, self.say)])
            self.karma.show_page(self.say("tui_state"), text)

    def action_confirm(self) -> None:
        """Asks before what cannot be taken back, or not."""
        on = self.karma.toggle_confirm()
        self.tell(self.say("tui_confirm_on" if on else "tui_confirm_off"))

    # ---- the end --------------------------------------------------------------------------------

    def ended(self) -> None:
        table = self.mirror.table
        if table is not None and table.game != self._ended_game:
            self._ended_game = table.game
            self.action_end()

    def action_end(self) -> None:
        """The end of the game in places and numbers."""
        view = self.shown
        if view is None or view.phase != "over" or self.karma.screen is not self:
            return
        self.karma.show_end(view, self)

    async def rematch(self) -> None:
        """Another game, same seats, the deal moved on."""
        self.tell(self.say("tui_rematch_wanted"))
        await self.connection.send(Rematch(id=self._action_id()))

    # ---- a deal that left us out ----------------------------------------------------------------

    def hold(self) -> None:
        self.tell(self.say("left_out"), bad=True)
        if not self._holding:
            self._holding = True
            self.log_lines.add([self.say("left_out")])
            self._ask_to_play_on()

    @work
    async def _ask_to_play_on(self) -> None:
        lines = [self.say("tui_menu_leave"), self.say("left_out_play_on")]
        chosen = await self.karma.push_screen_wait(Choices(lines, self.say("left_out_title")))
        self._holding = False
        if chosen == 0:
            await self._wish(Leave(id=self._action_id()))
        elif chosen == 1:
            self.connection.play_on()
            self.show([])

    # ---- the others -----------------------------------------------------------------------------

    @work
    async def action_talk(self) -> None:
        """A phrase for the others."""
        lines = [self.say(f"phrase_{phrase}") for phrase in PHRASES]
        chosen = await self.karma.push_screen_wait(Choices(lines))
        if chosen is not None:
            await self._wish(Say(id=self._action_id(), phrase=PHRASES[chosen]))

    @work
    async def action_menu(self) -> None:
        """What the table's people, and its host, can do beside playing."""
        if not self.karma.far:
            return
        found = wishes(self.mirror, self.say, self._action_id())
        chosen = await self.karma.push_screen_wait(Choices([wish.text for wish in found]))
        if chosen is None:
            return
        action: object = found[chosen].action
        if action == "write":
            text = await self.karma.push_screen_wait(Writing())
            action = Chat(id=self._action_id(), text=text) if text else None
        elif action == "rules":
            action = await self._other_rules()
        if isinstance(action, Mute):
            self.mirror.mute(action)
        if isinstance(action, Request):
            await self._wish(action)

    async def _other_rules(self) -> Change | None:
        """Another edition, and house rules on it."""
        table = self.mirror.table
        assert table is not None
        names = [self.karma.edition_name(name) for name in EDITIONS]
        chosen = await self.karma.push_screen_wait(Choices(names))
        if chosen is None:
            return None
        edition = list(EDITIONS)[chosen]
        kept = EDITIONS[edition].replace(**table.settings.rules).overrides
        rules = await self.karma.push_screen_wait(HouseRules(Plan(edition, kept)))
        if rules is None:
            return None
        settings = msgspec.structs.replace(table.settings, edition=edition, rules=rules)
        return Change(id=self._action_id(), settings=settings)
