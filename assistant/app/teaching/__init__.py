"""Teaching tiles, figures and doors of one's own from photos."""
