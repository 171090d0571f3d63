"""What is there to try the program: the practice tournament and the trial run."""
