"""Matches of the data folder: kept, chosen, moved on by the strip's button; and the disk that they lie on."""
