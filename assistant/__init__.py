"""Sightline's core: the table as values, the rules, the match, the command line."""
