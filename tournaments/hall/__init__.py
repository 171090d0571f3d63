"""The control room, the time of Serien, handing in, and the grid for paper lists."""
