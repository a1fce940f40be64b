"""The desk of a tournament: all tables on one page, judges' calls, rounds, and the delayed public view."""
