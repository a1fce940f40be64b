"""Application services, one folder per use case. None of them imports the page above it."""
