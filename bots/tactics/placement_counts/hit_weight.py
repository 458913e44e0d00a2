"""How much a placement counts for the hits that it covers."""

HIT_WEIGHT = 5
"""How many times more a placement counts for each open hit that it covers.

Beside a hit with room around it, L - 1 placements of a ship of length L cover the hit and the cell;
at most 2 L placements cover a cell of open water. 5 is the least whole number with which the former
outweigh the latter for every L > 1. Larger ones play no better one shot at a time, and worse in
salvos, where they keep all shots at the hits.
"""
