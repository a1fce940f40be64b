"""Matches in the data folder: stored, chosen, and advanced by the strip's button. Also checks their disk."""
