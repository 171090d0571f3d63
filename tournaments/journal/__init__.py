"""The journal: adding entries, proving them, and showing them as sentences."""
