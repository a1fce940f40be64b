"""How the two small networks of ``vision`` are trained, on simulated tables alone; reproducible from a seed."""
