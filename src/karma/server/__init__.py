"""The server: tables for friends, in one process, with nothing to start but itself."""
