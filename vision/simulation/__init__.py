"""The simulated table: tile art, bodies and light from a seed, rendered through the real camera model.

Reading a photo needs nothing from here. ``vision.simulation`` makes photos with their exact truth.
"""
