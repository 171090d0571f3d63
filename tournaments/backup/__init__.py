"""Backups of the whole installation: as files, on a USB stick, and on a standby laptop."""
