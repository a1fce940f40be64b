"""Tile recognition: keypoints, lattice, placements."""
