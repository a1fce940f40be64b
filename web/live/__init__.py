"""The watched table, and the event stream about it for every page."""
