"""The hall: tables, time, handing in, the grid for paper lists."""
