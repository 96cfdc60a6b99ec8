"""Clients: who is connected to a table, what each may see, and what they are told."""
