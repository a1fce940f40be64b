"""Judging at one table and over many: calls with their frozen state, and evidence that anybody can check."""
