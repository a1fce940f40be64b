"""From photo to observation: reading, camera sources, simulated tables."""
