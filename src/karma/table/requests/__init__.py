"""Requests: what may be asked of a table, checked, as the entries that would do it."""
