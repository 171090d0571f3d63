"""Trying the program: the practice tournament and the trial run."""
