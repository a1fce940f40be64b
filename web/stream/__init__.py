"""The match as an overlay for streaming."""
