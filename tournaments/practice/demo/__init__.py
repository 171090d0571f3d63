"""The practice tournament, made through the services like a real one."""
