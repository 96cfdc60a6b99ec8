"""The card game Karma: its rules, its games, its bots and its tables."""
