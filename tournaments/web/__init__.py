"""What every page is made with: who may see it, acts and their answers, open pages, fields."""
