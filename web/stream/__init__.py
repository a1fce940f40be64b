"""The match over the picture of a stream."""
