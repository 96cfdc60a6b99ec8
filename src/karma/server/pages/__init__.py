"""Pages: the HTTP endpoints, each a few lines around what the tables do."""
