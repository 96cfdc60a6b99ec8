"""The rules of a game in words, made from the values of its options, so house rules read right too.

A rulebook is a title and sections of paragraphs; it writes itself as plain text, Markdown or HTML.

>>> from karma.editions import edition
>>> book = rulebook(edition("mini", set_size=3))
>>> book.title
'Karma: Mini, with house rules'
>>> book.sections[0].heading
'The aim'
"""

from dataclasses import dataclass
from html import escape
from textwrap import fill

from karma.editions import EDITIONS, Rules
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
    """What a karma card does under these rules, in a paragraph."""
    if kind == "G":
        return say(f"rules_give_{rules.give_to}")
    if kind == "F":
        return say("rules_five")
    if kind == "T":
        return f"{say('rules_table')} {say(f'rules_table_{rules.no_table_card}')}"
    return say("rules_bottoms_stays" if rules.karma_stays else "rules_bottoms_leaves")


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
    return [
        say(
            "rules_cards" if rules.decks == 1 else "rules_cards_two_decks",
            cards=say("count_cards", count=len(rules.full_deck)),
            karma=say("rules_karma_list" if rules.give_cards else "rules_karma_list_no_give"),
            copies=rules.copies * rules.decks,
        ),
        say("rules_players", most=rules.most_players),
    ]


def _deal(rules: Rules, say: Texts) -> list[str]:
    return [say("rules_deal"), say(f"rules_deal_{rules.face_up}"), say("rules_deal_rest")]


def _turn(rules: Rules, say: Texts) -> list[str]:
    if rules.max_play == 1:
        play = [say("rules_turn_play_one"), say("rules_turn_place")]
    else:
        many = say("rules_turn_play", most=rules.max_play)
        play = [many, say("rules_turn_place"), say("rules_turn_one_place")]
    fit = [say("rules_turn_fit")]
    pick_up = [say("rules_turn_pick_up")]
    if not rules.karma_stays:
        fit.append(say("rules_turn_fit_left"))
        pick_up.append(say("rules_turn_pick_up_nothing"))
    blind = say("rules_turn_blind")
    return [say("rules_turn"), " ".join(play), " ".join(fit), blind, " ".join(pick_up)]


def _sets(rules: Rules, say: Texts) -> list[str]:
    if rules.set_effect == "clear":
        effect = say("rules_set_clear")
    else:
        effect = say(f"rules_set_give_{rules.give_to}")
    return [
        say(f"rules_set_{rules.set_counts}", size=rules.set_size),
        say("rules_set_karma" if rules.karma_sets else "rules_set_no_karma"),
        f"{effect} {say('rules_set_again')}",
    ]


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


def _drawing(rules: Rules, say: Texts) -> list[str]:
    return [say(f"rules_draw_{rules.drawing.replace('-', '_')}")]


def _end(rules: Rules, say: Texts) -> list[str]:
    paragraphs = [say("rules_end")]
    piles_are_given = rules.give_cards or rules.set_effect == "give-rest"
    if piles_are_given and rules.give_to == "anyone":
        paragraphs.append(say("rules_end_back"))
    if rules.stall_limit:
        turns = say("count_turns", count=rules.stall_limit)
        paragraphs.append(say("rules_end_stall", turns=turns))
    return paragraphs
