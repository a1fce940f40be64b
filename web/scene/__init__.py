"""A picture that was read, and everything on its board as lines and outlines."""
