"""PostgreSQL as Django has it, but for how a kept connection is tried; see ``base``."""
