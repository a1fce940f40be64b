"""The games that are played with: one folder each, found by entry point."""
