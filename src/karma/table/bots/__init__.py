"""Bots at a table: who thinks, about what, and in which process."""
