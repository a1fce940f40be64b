"""Lens, markers, pose and printable sheets: map pixels to the table."""
