"""The first minute of the demo: a choice of games, and a short optional tour."""
