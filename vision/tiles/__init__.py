"""Which tiles lie where: keypoints, lattice, placements."""
