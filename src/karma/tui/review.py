"""ReviewPage: was it the cards, or me? Mistakes to try again, and the answers when wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.widgets import Static
from textual.worker import get_current_worker

from karma.record import Record
from karma.tui.pages import Page

if TYPE_CHECKING:
    from karma.review.ledger import Review


class ReviewPage(Page):
    """The review of a game; the answers are shown when they are asked for."""

    FOOT = "review_keys"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answers", show=False),
        *(Binding(str(number), f"retry({number})", show=False) for number in range(1, 6)),
    ]

    def __init__(self, title: str, record: Record, seat: int | None) -> None:
        super().__init__(title, "")
        self.record = record
        self.seat = seat
        self.found: Review | None = None
        self._answers = False

    def on_mount(self) -> None:
        self._tell(0, 0)
        self.go_through()

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()  # what took its time is not left by a slip of the mouse

    @work(thread=True, exclusive=True)
    def go_through(self) -> None:
        """Reviews the game, beside the table; who leaves the page lets it be."""
        from karma.review.reviewer import WORLDS, account, judge_decisions

        worker = get_current_worker()

        class Left(Exception):
            """Nobody waits for it any more."""

        def progress(done: int, total: int) -> None:
            if worker.is_cancelled:
                raise Left
            self.app.call_from_thread(self._tell, done, total)

        found = account(self.record)
        found.worlds = WORLDS
        try:
            judge_decisions(found, progress=progress)
        except Left:
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._show, found)

    def _tell(self, done: int, total: int) -> None:
        text = self.karma.say("review_working", done=done, total=total)
        self.query_one("#text", Static).update(text)

    def _show(self, found: Review | None = None) -> None:
        from karma.review.story import page

        self.found = self.found or found
        if self.found is not None:
            lines = page(self.found, self.seat, self.karma.say, answers=self._answers)
            self.query_one("#text", Static).update("\n".join(lines))

    def action_answers(self) -> None:
        """Shows what would have been better, or hides it."""
        self._answers = not self._answers
        self._show()

    async def action_retry(self, number: int) -> None:
        """Plays on from the position of a mistake, against bots."""
        from karma.review.story import costliest, told_seats

        if self.found is None:
            return
        plies = costliest(self.found, told_seats(self.found, self.seat))
        if number <= len(plies):
            ply = plies[number - 1]
            self.dismiss()
            await self.karma.fork(self.record, ply.ply, ply.seat)
