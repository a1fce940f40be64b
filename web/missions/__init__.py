"""The mission editor: forms and a board for the user's own missions, with checks while typing."""
