"""Persons and clubs: master data across tournaments, import, merge, bans."""
