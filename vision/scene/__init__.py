"""The scene model: the one table that explains the evidence, with mutual exclusion."""
