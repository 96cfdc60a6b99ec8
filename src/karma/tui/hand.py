"""The hand: your own cards, stacked by kind, the playable ones raised; and your table cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.message import Message

from karma.moves import Move
from karma.tui.canvas import Canvas
from karma.tui.cards import HEIGHT, WIDTH, draw_back, draw_card
from karma.tui.widget import CanvasWidget
from karma.view import View

ROWS = HEIGHT + 2  # a row to be raised by, and one for the pointer
GAP = 3


@dataclass(frozen=True)
class Stack:
    """Identical cards that are picked together, or one face-down card."""

    kind: str | None
    count: int
    place: int = 0
    table: bool = False

    def move(self, count: int, phase: str) -> Move:
        """The move that uses so many of these cards."""
        if self.kind is None:
            return Move(f"?{self.place}")
        if phase == "choose":
            return Move(f"^{self.kind}")
        return Move(self.kind if count == 1 else f"{self.kind}x{count}")


class Hand(CanvasWidget):
    """Your cards, a pointer on one stack of them, and how many of it are meant."""

    class Changed(Message):
        """The pointer, the count or the choice changed."""

    class Meant(Message):
        """The player wants the cards pointed at to be played."""

    def __init__(self) -> None:
        super().__init__(id="hand")
        self.view: View | None = None
        self.stacks: list[Stack] = []
        self.pointer = 0
        self.count = 1
        self.chosen: Counter[str] = Counter()
        self.active = False

    def show(self, view: View, *, active: bool) -> None:
        """Shows a view's own cards; `active` when its player decides here and now."""
        pointed = self.pointed
        self.view, self.active = view, active
        self.stacks = stacks_of(view)
        if view.phase != "choose":
            self.chosen.clear()
        kinds = [(stack.kind, stack.table, stack.place) for stack in self.stacks]
        key = None if pointed is None else (pointed.kind, pointed.table, pointed.place)
        self.pointer = kinds.index(key) if key in kinds else 0
        if active and not self.playable(self.pointed):
            fits = [i for i, stack in enumerate(self.stacks) if self.playable(stack)]
            self.pointer = fits[0] if fits else self.pointer
        self.count = 1
        self.refresh()

    # ---- what is meant --------------------------------------------------------------------------

    @property
    def pointed(self) -> Stack | None:
        return self.stacks[self.pointer] if 0 <= self.pointer < len(self.stacks) else None

    @property
    def meant(self) -> Move | None:
        """The move that the pointer and the count stand for."""
        if self.pointed is None or self.view is None:
            return None
        return self.pointed.move(self.count, self.view.phase)

    def playable(self, stack: Stack | None) -> bool:
        """May one card of the stack be played now?"""
        if stack is None or self.view is None:
            return False
        # Texts of moves do not say where a card comes from.
        if stack.table != (self.view.source in ("face_up", "face_down")):
            return False
        return stack.move(1, self.view.phase) in self.view.legal

    def moves(self, stack: Stack | None) -> list[Move]:
        """The legal moves with cards of a stack, by their count."""
        if stack is None or self.view is None or not self.playable(stack):
            return []
        most = min(self.view.rules.most_at_once, stack.count)
        moves = [stack.move(n, self.view.phase) for n in range(1, most + 1)]
        return [move for move in dict.fromkeys(moves) if move in self.view.legal]

    @property
    def left_to_choose(self) -> int:
        """How many cards are still to be picked before the choice can be made."""
        return 0 if self.view is None else self.view.to_choose - self.chosen.total()

    @property
    def choice(self) -> list[Move]:
        """The choice as moves."""
        return [Move(f"^{kind}") for kind in self.chosen.elements()]

    # ---- moving the pointer ---------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Moves the pointer along, around the ends."""
        if self.stacks:
            self.point((self.pointer + by) % len(self.stacks))

    def point(self, index: int) -> None:
        """Points at a stack."""
        self.pointer, self.count = index, 1
        self._changed()

    def point_at(self, kind: str) -> bool:
        """Points at the stack of a kind, if there is one, a playable one rather than another."""
        found = [i for i, stack in enumerate(self.stacks) if stack.kind == kind]
        found.sort(key=lambda i: not self.playable(self.stacks[i]))
        if found:
            self.point(found[0])
        return bool(found)

    def aim(self, move: Move) -> None:
        """Points at the cards of a move, without a word."""
        for index, stack in enumerate(self.stacks):
            if move in self.moves(stack):
                self.pointer, self.count = index, max(1, move.count)
        self.refresh()

    def more(self, by: int) -> None:
        """Means more or fewer identical cards."""
        if self.view is not None and self.view.phase == "choose":
            self.toggle(add=by > 0)
            return
        most = max((move.count for move in self.moves(self.pointed)), default=1)
        self.count = min(max(1, self.count + by), max(1, most))
        self._changed()

    def toggle(self, add: bool | None = None) -> None:
        """Puts the card pointed at into the choice, or takes it back."""
        stack = self.pointed
        if stack is None or stack.kind is None or stack.table:
            return
        picked = self.chosen[stack.kind]
        if add is None:
            add = picked < stack.count and self.left_to_choose > 0
        if add and picked < stack.count and self.left_to_choose > 0:
            self.chosen[stack.kind] += 1
        elif not add and picked:
            self.chosen[stack.kind] -= 1
        self._changed()

    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Changed())

    # ---- the mouse ------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        index = self.at(event.x)
        if index is None:
            return
        again = index == self.pointer and self.active
        if self.view is not None and self.view.phase == "choose" and self.active:
            self.point(index)
            self.toggle()
        elif again:
            self.post_message(self.Meant())
        else:
            self.point(index)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.more(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.more(-1)

    def at(self, x: int) -> int | None:
        """The stack that is drawn at a column."""
        columns = self.columns(self.size.width)
        if self.pointer < len(columns) and columns[self.pointer] <= x < (
            columns[self.pointer] + WIDTH
        ):
            return self.pointer
        found = [i for i, column in enumerate(columns) if column <= x < column + WIDTH]
        return found[-1] if found else None

    # ---- drawing --------------------------------------------------------------------------------

    def columns(self, width: int) -> list[int]:
        """The column where each stack begins: side by side, or overlapping when there are many."""
        held = [stack for stack in self.stacks if not stack.table]
        laid = len(self.stacks) - len(held)
        table = laid * (WIDTH + 1) - 1 if laid else 0
        room = width - 2 - (table + GAP if laid else 0)
        step = WIDTH + 1
        if len(held) > 1:
            step = max(2, min(step, (room - WIDTH) // (len(held) - 1)))
        columns = [1 + i * step for i in range(len(held))]
        start = columns[-1] + WIDTH + GAP if columns else 1
        start = max(start, min(width - 1 - table, 60)) if laid else start
        return columns + [start + i * (WIDTH + 1) for i in range(laid)]

    def draw(self, canvas: Canvas) -> None:
        if self.view is None:
            return
        columns = self.columns(canvas.width)
        order = [i for i in range(len(self.stacks)) if i != self.pointer or not self.active]
        if self.active and self.stacks:
            order.append(self.pointer)
        crowded = len(columns) > 1 and columns[1] - columns[0] < WIDTH
        for i in order:
            self._draw_stack(canvas, columns[i], i, covered=crowded and i != self.pointer)
        self._draw_captions(canvas, columns)

    def _draw_stack(self, canvas: Canvas, x: int, index: int, *, covered: bool) -> None:
        assert self.view is not None
        stack, palette = self.stacks[index], self.palette
        fits = self.playable(stack)
        picked = self.chosen[stack.kind] if stack.kind and not stack.table else 0
        raised = picked > 0 if self.view.phase == "choose" else fits
        y = 0 if raised else 1
        if stack.kind is None:
            draw_back(canvas, x, y, palette, str(stack.place + 1) if fits else "")
        else:
            dim = self.active and not fits
            draw_card(
                canvas, x, y, stack.kind, palette, count=stack.count, dim=dim, covered=covered
            )
        if self.active and index == self.pointer:
            pointer = "▲" if self.count == 1 else f"▲×{self.count}"
            canvas.put(x + 2, ROWS - 1, pointer, Style(color=palette.cursor, bold=True))
        if picked:
            canvas.put(x + 1, HEIGHT, f"✓{picked}", Style(color=palette.accent, bold=True))

    def _draw_captions(self, canvas: Canvas, columns: list[int]) -> None:
        quiet = Style(color=self.palette.quiet)
        assert self.view is not None
        if self.view.seat is None:
            canvas.put(1, 2, self.say("tui_audience"), quiet)
        elif not self.stacks:
            canvas.put(1, 2, self.say("text_hand_empty"), quiet)
        for index, stack in enumerate(self.stacks):
            if stack.table and not (self.active and index == self.pointer):
                key = "tui_face_down" if stack.kind is None else "tui_face_up"
                first = not any(earlier.table for earlier in self.stacks[:index])
                if first:
                    canvas.put(columns[index], ROWS - 1, self.say(key), quiet)


def stacks_of(view: View) -> list[Stack]:
    """A seat's cards as they are picked: the hand, then face-up cards, or else face-down ones."""
    if view.seat is None:
        return []
    stacks = [Stack(kind, count) for kind, count in Counter(view.hand or ()).items()]
    face_up = Counter(view.face_up[view.seat])
    stacks += [Stack(kind, count, table=True) for kind, count in face_up.items()]
    if not face_up:
        covered = enumerate(view.face_down[view.seat])
        stacks += [Stack(None, 1, place, table=True) for place, there in covered if there]
    return stacks
