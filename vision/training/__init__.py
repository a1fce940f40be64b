"""Train the networks and weights of ``vision`` on simulated tables, reproducibly from seeds."""
