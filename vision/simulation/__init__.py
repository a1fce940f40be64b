"""The simulated table: tile art, bodies and light made from a seed, seen through the real camera model.

Nothing here is needed to read a photo; ``vision.simulation`` makes the photos, with their exact truth.
"""
