"""The pages of the beamers, and those that set them."""
