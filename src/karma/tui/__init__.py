"""The terminal table: a Textual application to play, watch and replay games in.

It knows the game by what a player knows: Views, Events and legal moves. `app` is the way in.
"""
