"""What websites of clubs fetch: tournaments and rankings as JSON, and a snippet that shows them."""
