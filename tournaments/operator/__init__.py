"""What is kept of people, what the pages say of it, and what goes when its time is over."""
