"""DOOM: the boardgame (2004)."""
