"""Teaching: tiles, figures and doors are laid under the camera once, and read from then on."""
