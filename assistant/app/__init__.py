"""Application services, one folder per use case; none of them knows the page above it."""
