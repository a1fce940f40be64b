"""The watched table: camera frames, and the parts of them worth reading."""
