"""Matches of the data folder: kept, chosen, moved on from the strip's button, and the disk under them looked after."""
