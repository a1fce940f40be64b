"""The match: initiative, figures, history, clocks, and saved matches."""
