"""The Probelauf: a small tournament of made-up people, in which the margin says what comes next."""
