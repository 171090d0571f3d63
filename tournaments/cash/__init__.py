"""The Kasse: the book, the till, counting, reversals."""
