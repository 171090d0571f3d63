"""Personal data: what is kept, the pages about it, and deletion when its time is over."""
