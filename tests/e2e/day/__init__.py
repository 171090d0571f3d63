"""A whole tournament in a browser, a module for each place of work."""
