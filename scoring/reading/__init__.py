"""Data in and out, as JSON or cells: lists, seatings and rule sets; each problem has its place."""
