"""The Table view: show a photo, choose two figures, set right what was seen."""
