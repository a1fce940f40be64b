"""The page of a tablet: its frame, tabs and menu, and what installs it."""
