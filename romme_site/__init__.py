"""The site: settings, addresses and the entry points of the servers."""
