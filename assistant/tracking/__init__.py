"""Identity tracking on the live table: look-alike figures keep their names while the camera watches."""
