"""Teaching tiles, figures and doors."""
