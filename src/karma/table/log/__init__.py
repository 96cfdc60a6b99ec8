"""The log of a table: what is true, kept as entries and replayed after a crash."""
