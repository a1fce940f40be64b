"""Where a pixel is on the table: lens, markers, pose, printable sheets."""
