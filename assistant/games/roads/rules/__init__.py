"""What is seen, reached and hit in `roads`."""
