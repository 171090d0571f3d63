"""Rules of play, rule sets in words, and rule sets of one's own."""
