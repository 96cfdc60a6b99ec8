"""`karma rules`: the rules of an edition, or of a family's own, in words."""

from typing import Annotated

import typer

from karma.cli.options import LanguageOption, RuleOption, parse_rules


def rules(
    edition: Annotated[
        str, typer.Argument(metavar="EDITION", help="classic, alternative, mini or online")
    ] = "classic",
    rule: RuleOption = None,
    lang: LanguageOption = "en",
) -> None:
    """Print the rules of an edition, house rules included."""
    from karma.rulebook import rulebook

    print(rulebook(parse_rules(edition, rule), lang).text())
