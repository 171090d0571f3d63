"""Personal data: retention periods, the pages about them, and deletion."""
