"""The journal: adding entries, proving them, reading them in sentences."""
