"""Rankings, playoffs, statistics, the player's page, the ranking for everybody."""
