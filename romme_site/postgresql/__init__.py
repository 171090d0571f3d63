"""PostgreSQL as Django has it, but for how connections are set up and tried; see ``base``."""
