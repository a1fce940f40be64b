"""Tables without a grid: bases found to the millimetre by their rims, wherever they stand.

``search`` proposes places of bases, ``rims`` fits each to the photo's edges, ``choice`` decides which are there and of
which kind, ``facing`` finds the mark on a rim, ``reading`` runs them and makes the table.
"""
