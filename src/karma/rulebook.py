"""The rules of a game in words, made from the values of its options, so house rules read right too.

A rulebook is a title and sections of paragraphs; it writes itself as plain text, Markdown or HTML.

>>> from karma.editions import edition
>>> book = rulebook(edition("classic", set_size=2))
>>> book.title
'Karma: Classic, with house rules'
>>> book.sections[0].heading
'The aim'
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from textwrap import fill

from karma.editions import EDITIONS, LEAST_PLAYERS, Rules
from karma.texts import Texts


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game, as a document."""

    title: str
    language: str
    sections: tuple[Section, ...]

    def text(self, width: int = 79) -> str:
        """The rulebook as plain text."""
        lines = [self.title, "=" * len(self.title), ""]
        for section in self.sections:
            lines += [section.heading, "-" * len(section.heading), ""]
            for paragraph in section.paragraphs:
                lines += [fill(paragraph, width, break_long_words=False), ""]
        return "\n".join(lines).rstrip()

    def markdown(self) -> str:
        """The rulebook as Markdown."""
        lines = [f"# {self.title}", ""]
        for section in self.sections:
            lines += [f"## {section.heading}", ""]
            for paragraph in section.paragraphs:
                lines += [paragraph, ""]
        return "\n".join(lines).rstrip() + "\n"

    def html(self) -> str:
        """The rulebook as an HTML article, every text escaped."""
        parts = [f'<article lang="{self.language}">', f"<h1>{escape(self.title)}</h1>"]
        for section in self.sections:
            parts.append(f"<section><h2>{escape(section.heading)}</h2>")
            parts += [f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs]
            parts.append("</section>")
        return "\n".join([*parts, "</article>"])


def rulebook(rules: Rules, language: str = "en") -> Rulebook:
    """The rules in the words of a language."""
    say = Texts(language)
    title = "rules_title_house" if rules.house_rules else "rules_title"
    chapters = {
        "aim": _aim(rules, say),
        "cards": _cards(rules, say),
        "deal": _deal(rules, say),
        "turn": _turn(rules, say),
        "set": _sets(rules, say),
        "karma": _karma(rules, say),
        "draw": _drawing(rules, say),
        "end": _end(rules, say),
        "public": [say("rules_public")],
    }
    sections = [
        Section(say(f"rules_{name}_heading"), tuple(paragraphs))
        for name, paragraphs in chapters.items()
    ]
    return Rulebook(say(title, edition=edition_text(rules, say)), language, tuple(sections))


def karma_card(kind: str, rules: Rules, say: Texts) -> str:
    """A karma card as it is printed, and what it does under these rules, in a paragraph."""
    name, effect = _KARMA_CARDS[kind]
    return say(
        "rules_karma_card",
        printed=say(f"printed_{name}"),
        name=say(f"card_{name}"),
        effect=" ".join(effect(rules, say)),
    )


def karma_cards(rules: Rules) -> tuple[str, ...]:
    """The karma cards that are in the deck."""
    return ("G", "F", "T", "B") if rules.give_cards else ("F", "T", "B")


def _aim(rules: Rules, say: Texts) -> list[str]:
    paragraphs = [say("rules_aim")]
    if rules.house_rules:
        printed = EDITIONS[rules.edition]
        changes = "; ".join(
            f"{say(f'option_{name}')}: {value_text(value, say)}"
            f" ({value_text(getattr(printed, name), say)})"
            for name, value in rules.house_rules.items()
        )
        paragraphs.append(say("rules_house", edition=edition_text(rules, say), changes=changes))
    return paragraphs


def edition_text(rules: Rules, say: Texts) -> str:
    """The name of the edition, or of the nearest one."""
    return say(f"edition_{rules.edition}")


def value_text(value: object, say: Texts) -> str:
    """A value of an option in words."""
    if isinstance(value, bool):
        return say("value_true" if value else "value_false")
    if isinstance(value, int):
        return say("value_never") if value == 0 else str(value)
    return say(f"value_{str(value).replace('-', '_')}")


def _cards(rules: Rules, say: Texts) -> list[str]:
    cards = say(
        "rules_cards" if rules.decks == 1 else "rules_cards_two_decks",
        cards=say("count_cards", count=len(rules.full_deck)),
        karma=say("rules_karma_names" if rules.give_cards else "rules_karma_names_no_give"),
        copies=rules.copies * rules.decks,
    )
    least, most = LEAST_PLAYERS, rules.most_players
    if rules.decks == 2:
        return [cards, say("rules_players", least=least, most=most)]
    more = rules.replace(decks=2).most_players
    return [cards, say("rules_players_decks", least=least, most=most, more=more)]


def _deal(rules: Rules, say: Texts) -> list[str]:
    chosen = [say("rules_deal_tip")] if rules.face_up == "chosen" else []
    dealt = [say("rules_deal"), say(f"rules_deal_{rules.face_up}")]
    return [*dealt, *chosen, say("rules_deal_rest")]


def _turn(rules: Rules, say: Texts) -> list[str]:
    most = rules.most_at_once
    play = [say(f"rules_turn_play_{most}"), say("rules_turn_place")]
    if most > 1:
        play.append(say("rules_turn_one_place"))
    fit = [say("rules_turn_fit")]
    pick_up = [say("rules_turn_pick_up")]
    if not rules.karma_stays:
        fit.append(say("rules_turn_fit_left"))
        pick_up.append(say("rules_turn_pick_up_nothing"))
    blind = say("rules_turn_blind")
    return [say("rules_turn"), " ".join(play), " ".join(fit), " ".join(pick_up), blind]


def _sets(rules: Rules, say: Texts) -> list[str]:
    if not rules.has_sets:
        copies = rules.copies * rules.decks
        return [say("rules_set_none", size=rules.set_size, copies=copies)]
    clears = rules.set_effect == "clear"
    effect = "rules_set_clear" if clears else f"rules_set_give_{rules.give_to}"
    again = f"rules_set_again_{rules.drawing.replace('-', '_')}"
    karma = "rules_set_karma" if rules.karma_sets else f"rules_set_no_karma_{rules.set_counts}"
    return [
        " ".join(_what_is_a_set(rules, say)),
        say(f"rules_set_example_{_example(rules)}", size=rules.set_size),
        say(karma),
        f"{say(effect)} {say(again)} {say('rules_set_out')}",
    ]


def _what_is_a_set(rules: Rules, say: Texts) -> list[str]:
    more = "_more" if _longer_sets(rules) else ""
    if rules.set_counts == "top":
        return [say(f"rules_set_top{more}", size=rules.set_size), say("rules_set_instead")]
    return [
        say("rules_set_run"),
        say(f"rules_set_size{more}", size=rules.set_size),
        say("rules_set_instead"),
        say("rules_set_moved"),
    ]


def _longer_sets(rules: Rules) -> bool:
    """Can a set have more cards than it needs?

    Several at once can go beyond its size. Where what lies on top counts, so can a single card,
    after a Bottoms that left the pile, or one that brought up another Bottoms.
    """
    if rules.copies * rules.decks <= rules.set_size:
        return False
    brought_up = rules.set_counts == "top" and (rules.karma_sets or not rules.karma_stays)
    return rules.max_play > 1 or brought_up


def _example(rules: Rules) -> str:
    """A set by two players, or, where a play is one card and a set more than two, by several."""
    if rules.set_size == 2:
        return "pair"
    if rules.max_play == 1:
        return "singles"
    return "double" if rules.set_size == 3 else "doubles"


def _karma(rules: Rules, say: Texts) -> list[str]:
    if not rules.karma_stays:
        then = "rules_karma_leave"
    elif rules.give_cards:
        then = "rules_karma_stay_but_give"
    else:
        then = "rules_karma_stay"
    fits = say("rules_karma_any" if rules.max_play == 1 else "rules_karma_once")
    cards = [karma_card(kind, rules, say) for kind in karma_cards(rules)]
    return [f"{fits} {say(then)}", *cards]


def _give(rules: Rules, say: Texts) -> list[str]:
    return [say(f"rules_give_{rules.give_to}")]


def _five(rules: Rules, say: Texts) -> list[str]:
    return [say("rules_five")]


def _table(rules: Rules, say: Texts) -> list[str]:
    several = "rules_table_one" if rules.max_play == 1 else "rules_table_several"
    then = "stays" if rules.karma_stays else "leaves"
    return [say(several), say(f"rules_table_{rules.no_table_card}_{then}")]


def _bottoms(rules: Rules, say: Texts) -> list[str]:
    then = "stays" if rules.karma_stays else "leaves"
    return [say(f"rules_bottoms_{then}"), say("rules_bottoms_example")]


_KARMA_CARDS: dict[str, tuple[str, Callable[[Rules, Texts], list[str]]]] = {
    "G": ("give", _give),
    "F": ("five", _five),
    "T": ("table", _table),
    "B": ("bottoms", _bottoms),
}


def _drawing(rules: Rules, say: Texts) -> list[str]:
    drawing = [say(f"rules_draw_{rules.drawing.replace('-', '_')}")]
    if rules.drawing == "refill":
        drawing.append(say("rules_draw_forget"))
    return drawing


def _end(rules: Rules, say: Texts) -> list[str]:
    paragraphs = [say("rules_end")]
    sets_give = rules.has_sets and rules.set_effect == "give-rest"
    piles_are_given = rules.give_cards or sets_give
    if piles_are_given and rules.give_to == "anyone":
        paragraphs.append(say("rules_end_back"))
    if rules.stall_limit:
        turns = say("count_turns", count=rules.stall_limit)
        paragraphs.append(say("rules_end_stall", turns=turns))
    return paragraphs
