"""The live table: frames of a camera that watches, and what is worth reading in them."""
