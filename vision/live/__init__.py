"""The watched table: frames of its camera, and what is worth reading in them."""
