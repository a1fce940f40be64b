"""The state of a match in play. Pure: events go in, states and views come out."""
