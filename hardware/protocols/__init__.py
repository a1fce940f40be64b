"""What lights speak: a file each, bytes in and bytes out, with the ``LIGHT`` that describes it."""
