"""The match: initiative, figures, history, clocks, and whole matches that are kept."""
