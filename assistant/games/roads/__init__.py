"""The gridless skirmish game “Roads of the Apocalypse”."""
