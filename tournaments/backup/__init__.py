"""What is saved of the whole program: into files, onto a stick, and to a laptop that stands by."""
