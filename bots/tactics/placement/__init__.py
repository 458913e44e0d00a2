"""Places a fleet so that strong shooters find it late, and judges whether an opponent does so."""
