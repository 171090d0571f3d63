"""The screens (beamers) in the hall."""
