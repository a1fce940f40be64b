"""The one table that explains the evidence: where things exclude each other."""
