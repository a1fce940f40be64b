"""Tables without a grid: bases at any place, located to the millimetre by their rims.

``search`` proposes places of bases, ``rims`` fits each to the photo's edges, ``choice`` selects the bases and their
kinds, ``facing`` finds the mark on a rim, ``reading`` runs all of them and builds the table.
"""
