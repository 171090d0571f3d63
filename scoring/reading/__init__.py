"""JSON in and out: lists, seatings and rule sets, every problem named with its place."""
