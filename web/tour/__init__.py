"""The first minute of the demo: its games to choose from, and a short tour that anybody may skip."""
