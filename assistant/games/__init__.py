"""The games that come with the program: one folder each, found by the entry points of `assistant.match.games`."""
