"""The page of a tablet: its frame, tabs, menu, and installation."""
