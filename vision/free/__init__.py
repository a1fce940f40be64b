"""Tables without a grid: bases found to the millimetre by their rims, wherever they stand.

``search`` proposes where bases may stand, ``rims`` fits each to the edges that the photo shows, ``choice`` tells which
of them are there and who they are, ``facing`` finds the mark on a rim, ``reading`` runs them and makes the table.
"""
