"""Watching a table through a camera: from frames to what is believed to lie there."""
