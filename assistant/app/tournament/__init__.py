"""Judges at a table and over many: calls with what they froze, and the evidence that anybody can check."""
