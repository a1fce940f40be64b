"""What is seen, reached and hit in DOOM (2004)."""
