"""The words of Lanterns in other languages, one ``.po`` file each."""
