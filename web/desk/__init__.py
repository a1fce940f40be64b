"""A tournament's desk: all tables on one page, judges' calls, rounds, and the delayed public view."""
