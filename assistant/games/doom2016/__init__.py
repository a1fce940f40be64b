"""The game DOOM: The Board Game (2016)."""
