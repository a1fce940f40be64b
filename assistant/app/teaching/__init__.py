"""Teaching of people's own tiles, figures and doors from photos."""
