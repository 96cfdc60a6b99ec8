"""The log: what is true of a table. Its entries in order, and the state after them."""
