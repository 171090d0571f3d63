"""Who sits where: draws, Startkarten, seats and their changes, the plan of the hall."""
