"""The game DOOM: The Boardgame (2004)."""
