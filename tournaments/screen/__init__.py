"""What the beamer in the hall shows."""
