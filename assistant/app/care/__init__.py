"""Maintenance of the program itself: an examination of its machine, and reports of faults."""
