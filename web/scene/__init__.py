"""The scene: a picture's reading, and its board as lines and outlines."""
