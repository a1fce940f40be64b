"""The table that a camera watches, and the stream that tells every page of it."""
