"""Ray-traced evenings: things on and beside the board, scratched rims, leaning bodies, a phone's pictures."""
