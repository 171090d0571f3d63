"""The JSON API of tournaments and rankings for other websites, and a snippet that shows them."""
