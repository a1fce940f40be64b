"""The mission editor: forms and a board for a mission of one's own, checked while it is typed."""
