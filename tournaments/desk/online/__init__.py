"""What comes through the internet, and its inbox at the desk."""
