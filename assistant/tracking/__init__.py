"""Who is who on the live table: figures that look alike keep their names while the camera watches."""
