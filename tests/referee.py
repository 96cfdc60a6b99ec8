"""An independent referee: the rules once more, slowly and obviously, to check the core against.

It was written from the rules page and the records page alone and shares nothing with the package:
cards are texts, zones are lists, and every question is answered by looking at the lists. Speed is
no concern here; being easy to compare with the rules page is.
"""

KINDS = [*map(str, range(1, 17)), "G", "F", "T", "B"]
KARMA = ["G", "F", "T", "B"]

EDITIONS = {
    "classic": dict(
        copies=3,
        decks=1,
        give_cards=True,
        face_up="chosen",
        drawing="refill",
        set_size=3,
        max_play=3,
        set_effect="clear",
        set_counts="played",
        karma_sets=True,
        karma_stays=True,
        give_to="anyone",
        no_table_card="hand",
        stall_limit=0,
    )
}
EDITIONS["alternative"] = EDITIONS["classic"] | dict(give_cards=False, set_effect="give-rest")
EDITIONS["mini"] = EDITIONS["classic"] | dict(copies=2, set_size=2, max_play=2)
EDITIONS["online"] = EDITIONS["mini"] | dict(
    face_up="dealt",
    drawing="when-empty",
    max_play=1,
    karma_sets=False,
    karma_stays=False,
    give_to="active",
    no_table_card="skip",
)


class Refused(Exception):
    """The referee was asked for a move that is not legal."""


def in_order(cards):
    return sorted(cards, key=KINDS.index)


def requirement_of(kind):
    """What a card on top of the pile requires of the next player."""
    if kind == "F":
        return {"at_most": 5}
    return None if kind in KARMA else {"at_least": int(kind)}


def satisfies(kind, requirement):
    if kind in KARMA or requirement is None:
        return True
    if "at_most" in requirement:
        return int(kind) <= 5
    return int(kind) >= requirement["at_least"]


class Referee:
    """One game, refereed."""

    def __init__(self, edition, overrides, players, dealer, deck):
        self.edition = edition
        self.overrides = dict(overrides)
        self.rules = EDITIONS[edition] | self.overrides
        self.players = list(players)
        self.seats = list(range(len(self.players)))
        self.dealer = dealer
        self.draw_pile = list(deck)
        self.hands = [[] for _ in self.seats]
        self.known = [[] for _ in self.seats]
        self.face_up = [[] for _ in self.seats]
        self.face_down = [[] for _ in self.seats]
        self.pile = []
        self.removed = []
        self.places = []
        self.loser = None
        self.requirement = None
        self.table_card = False  # is this the play that a Table card calls for?
        self.again = False  # did the actor complete a set in this turn?
        self.run_kind = None
        self.run = 0
        self.progress = False  # did a card leave the game, or was one drawn, in this turn?
        self.quiet = 0
        self.ply = 0
        self.deal()

    # ---- the deal

    def deal(self):
        first = self.left_of(self.dealer)
        order = [(first + i) % len(self.seats) for i in self.seats]
        for seat in order:
            self.face_down[seat] = self.take(3)
        if self.rules["face_up"] == "dealt":
            for seat in order:
                self.face_up[seat] = self.take(3)
        for seat in order:
            self.hands[seat] = self.take(6)
        self.actor = first
        if self.rules["face_up"] == "dealt":
            self.begin_turn()
        else:
            self.phase = "choose"

    def take(self, number):
        cards, self.draw_pile = self.draw_pile[:number], self.draw_pile[number:]
        return cards

    def left_of(self, seat):
        return (seat + 1) % len(self.seats)

    # ---- what a player holds

    def has_face_down(self, seat):
        return any(card is not None for card in self.face_down[seat])

    def holds_cards(self, seat):
        return bool(self.hands[seat] or self.face_up[seat] or self.has_face_down(seat))

    def location(self):
        """Where the actor has to play from: hand, face_up, face_down, or None."""
        table = None
        if self.face_up[self.actor]:
            table = "face_up"
        elif self.has_face_down(self.actor):
            table = "face_down"
        if not self.table_card:
            return "hand" if self.hands[self.actor] else table
        if table is None and self.rules["no_table_card"] == "hand" and self.hands[self.actor]:
            return "hand"
        return table

    # ---- what is legal

    def legal(self):
        moves = []
        if self.phase == "choose":
            moves = [f"^{kind}" for kind in set(self.hands[self.actor])]
        elif self.phase == "play":
            moves = self.legal_plays()
            if not self.table_card and (self.pile or not moves):
                moves.append("P")
        elif self.phase == "give":
            for seat in self.seats:
                allowed = self.rules["give_to"] == "anyone" or self.holds_cards(seat)
                if seat != self.actor and allowed:
                    moves.append(f">{seat}")
        elif self.phase == "draw":
            moves = ["D", "N"] if self.hands[self.actor] else ["D"]
        return sorted(moves)

    def legal_plays(self):
        location = self.location()
        if location == "face_down":
            return [f"?{i}" for i in range(3) if self.face_down[self.actor][i] is not None]
        cards = self.hands[self.actor] if location == "hand" else self.face_up[self.actor]
        moves = []
        for kind in set(cards):
            if self.table_card or satisfies(kind, self.requirement):
                for number in range(1, self.rules["max_play"] + 1):
                    if cards.count(kind) >= number:
                        moves.append(kind if number == 1 else f"{kind}x{number}")
        return moves

    # ---- making a move

    def make(self, move):
        if move not in self.legal():
            raise Refused(move)
        self.ply += 1
        if move[0] == "^":
            self.choose(move[1:])
        elif move[0] == ">":
            self.give(int(move[1:]))
        elif move == "D":
            self.refill()
            self.turn_is_over()
        elif move == "N":
            self.turn_is_over()
        elif move == "P":
            self.pick_up()
        elif move[0] == "?":
            self.turn_over(int(move[1:]))
        else:
            kind, _, number = move.partition("x")
            self.play(kind, int(number or 1))

    def choose(self, kind):
        self.hands[self.actor].remove(kind)
        self.face_up[self.actor].append(kind)
        if len(self.face_up[self.actor]) == 3:
            self.actor = self.left_of(self.actor)
            if len(self.face_up[self.actor]) == 3:
                self.begin_turn()

    def pick_up(self):
        self.receive(self.actor)
        self.complete_turn()

    def receive(self, seat):
        """The pile goes into a hand, and everybody sees it going in."""
        self.hands[seat] += self.pile
        self.known[seat] += self.pile
        if seat in self.places and self.pile:
            self.places.remove(seat)
        self.new_pile()

    def new_pile(self):
        self.pile = []
        self.requirement = None
        self.end_run()

    def end_run(self):
        self.run_kind = None
        self.run = 0

    def play(self, kind, number):
        in_hand = self.location() == "hand"
        for _ in range(number):
            if in_hand:
                self.hands[self.actor].remove(kind)
                if kind in self.known[self.actor]:
                    self.known[self.actor].remove(kind)
            else:
                self.face_up[self.actor].remove(kind)
            self.pile.append(kind)
        self.after_play(kind, number)

    def turn_over(self, place):
        kind = self.face_down[self.actor][place]
        self.face_down[self.actor][place] = None
        self.pile.append(kind)
        if self.table_card or satisfies(kind, self.requirement):
            self.after_play(kind, 1)
        else:
            self.pick_up()

    # ---- after a play

    def after_play(self, kind, number):
        self.table_card = False
        if kind != self.run_kind:
            self.end_run()
        self.run_kind = kind
        self.run += number
        in_a_row = self.run if self.rules["set_counts"] == "played" else self.on_top(kind)
        forms_sets = kind not in KARMA or self.rules["karma_sets"]
        if forms_sets and in_a_row >= self.rules["set_size"]:
            self.complete_set(kind, in_a_row)
            return
        if kind == "G" or (kind in KARMA and not self.rules["karma_stays"]):
            for _ in range(number):
                self.leave(kind)
            self.end_run()
        self.effect(kind)

    def on_top(self, kind):
        number = 0
        while number < len(self.pile) and self.pile[-1 - number] == kind:
            number += 1
        return number

    def complete_set(self, kind, in_a_row):
        self.again = True
        if self.rules["set_effect"] == "clear":
            in_a_row = 0
            while self.pile:
                self.leave(self.pile[-1])
        for _ in range(in_a_row):
            self.leave(kind)
        if self.pile:
            self.phase = "give"  # the pile, and the run on it, ends when it is given
        else:
            self.new_pile()
            self.complete_turn()

    def leave(self, kind):
        """A card leaves the game: of identical ones in the pile, the topmost."""
        place = len(self.pile) - 1 - self.pile[::-1].index(kind)
        self.removed.append(self.pile.pop(place))
        self.progress = True

    def effect(self, kind):
        if kind == "F":
            self.requirement = {"at_most": 5}
            self.complete_turn()
        elif kind == "G" and self.pile:
            self.phase = "give"
        elif kind == "T":
            self.table_card = True
            if self.location() is None:
                self.table_card = False
                self.require_top()
                self.complete_turn()
        else:
            if kind == "B" and self.pile:
                self.pile.append(self.pile.pop(0))
            self.require_top()
            self.complete_turn()

    def require_top(self):
        self.requirement = requirement_of(self.pile[-1]) if self.pile else None

    def give(self, seat):
        self.receive(seat)
        self.complete_turn()

    # ---- drawing, going out, the end

    def complete_turn(self):
        """The turn is complete but for drawing."""
        if self.rules["drawing"] == "refill":
            self.refill()
        may_draw = len(self.hands[self.actor]) < 3 and self.draw_pile
        if self.rules["drawing"] == "manual" and may_draw:
            self.phase = "draw"
        else:
            self.turn_is_over()

    def refill(self):
        while len(self.hands[self.actor]) < 3 and self.draw_pile:
            self.draw()

    def draw(self):
        self.hands[self.actor] += self.take(1)
        self.progress = True

    def turn_is_over(self):
        self.quiet = 0 if self.progress else self.quiet + 1
        self.progress = False
        if not self.holds_cards(self.actor):
            self.places.append(self.actor)
        holders = [seat for seat in self.seats if self.holds_cards(seat)]
        stalled = self.rules["stall_limit"] and self.quiet >= self.rules["stall_limit"]
        if len(holders) == 1 or stalled:
            self.phase = "over"
            self.loser = holders[0] if len(holders) == 1 else None
            self.actor = None
            return
        if not (self.again and self.holds_cards(self.actor)):
            self.actor = self.left_of(self.actor)
            while not self.holds_cards(self.actor):
                self.actor = self.left_of(self.actor)
        self.again = False
        self.begin_turn()

    def begin_turn(self):
        self.phase = "play"
        if self.rules["drawing"] == "when-empty" and not self.hands[self.actor] and self.draw_pile:
            self.draw()

    # ---- writing down

    def must_play(self):
        if self.phase not in ("play", "draw"):
            return None
        return "table-card" if self.table_card else self.requirement

    def run_on_the_pile(self):
        if self.run_kind is None:
            return None
        return {"kind": self.run_kind, "length": self.run}

    def position(self):
        """Everything, as the records page writes it."""
        return {
            "ply": self.ply,
            "phase": self.phase,
            "actor": self.actor,
            "legal": self.legal(),
            "hands": [in_order(cards) for cards in self.hands],
            "face_up": [in_order(cards) for cards in self.face_up],
            "face_down": [list(cards) for cards in self.face_down],
            "pile": list(self.pile),
            "draw_pile": list(self.draw_pile),
            "removed": in_order(self.removed),
            "must_play": self.must_play(),
            "quiet": self.quiet,
            "places": list(self.places),
            "loser": self.loser,
        }

    def view(self, seat):
        """What a seat knows, as the records page writes it; None is the audience."""
        return {
            "seat": seat,
            "ply": self.ply,
            "edition": self.edition,
            "rules": self.overrides,
            "players": self.players,
            "dealer": self.dealer,
            "phase": self.phase,
            "actor": self.actor,
            "legal": self.legal() if seat is not None and seat == self.actor else [],
            "hand": None if seat is None else in_order(self.hands[seat]),
            "hand_sizes": [len(cards) for cards in self.hands],
            "known": [in_order(cards) for cards in self.known],
            "face_up": [self.face_up_seen_by(seat, owner) for owner in self.seats],
            "face_down": [[card is not None for card in cards] for cards in self.face_down],
            "pile": list(self.pile),
            "draw_pile": len(self.draw_pile),
            "removed": in_order(self.removed),
            "run": self.run_on_the_pile(),
            "source": self.location() if self.phase == "play" else None,
            "must_play": self.must_play(),
            "quiet": self.quiet,
            "places": list(self.places),
            "loser": self.loser,
        }

    def face_up_seen_by(self, seat, owner):
        if self.phase == "choose" and seat != owner:
            return [None for _ in self.face_up[owner]]
        return in_order(self.face_up[owner])
