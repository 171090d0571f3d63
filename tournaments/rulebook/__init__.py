"""Rules of play, rule sets in words, and custom rule sets."""
