"""Picture bytes, the light in a picture, and rectified planes of the table."""
