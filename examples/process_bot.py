#!/usr/bin/env python3
"""A bot that is a program of its own: `karma arena process:examples/process_bot.py greedy`.

It reads a view from each line of standard input and answers with a move. Any language will do.
"""

import json
import sys

for line in sys.stdin:
    view = json.loads(line)
    cards = [move for move in view["legal"] if move[0] not in "P?>^DN"]
    # Play the highest number that fits, karma cards first; pick up only when nothing fits.
    cards.sort(key=lambda move: (not move[0].isdigit(), move.partition("x")[0].rjust(2)))
    move = cards[-1] if cards else view["legal"][0]
    print(json.dumps({"move": move}), flush=True)
