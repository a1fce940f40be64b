"""Exact answers about the table: sight, range, cover, reach."""
