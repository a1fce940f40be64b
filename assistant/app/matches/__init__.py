"""Matches of the data folder: kept, chosen, and moved on from the strip's button."""
