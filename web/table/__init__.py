"""The Table view: show a photo, choose two figures, correct the reading."""
