"""The desk of a tournament: every table on one page, judges' calls, rounds, and what everybody may see with a delay."""
