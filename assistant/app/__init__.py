"""What the program does with its parts, one folder a use case."""
