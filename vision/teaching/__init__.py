"""Teaching: a single session under the camera makes tiles, figures and doors recognisable."""
