"""Joint reading of several photos of one table."""
