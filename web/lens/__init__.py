"""The table through a phone's own camera."""
