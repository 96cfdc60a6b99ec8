"""The arena: bot against bot, until it is clear who is stronger.

The unit of evidence is a mirrored block: one deck, played once from each seat by the candidate,
against the same baseline in all other seats. `blocks` plays them, `results` keeps them in a file,
`runner` spreads them over the cores, `statistics` says what they prove, `report` draws it.
"""

from karma.arena.blocks import Block, Pairing, play_blocks
from karma.arena.results import ArenaResults
from karma.arena.runner import run

__all__ = ["ArenaResults", "Block", "Pairing", "play_blocks", "run"]
