"""Printing: every document of the day, from HTML to PDF.

``documents`` is the table of all documents, ``job`` renders them outside the request,
``store`` keeps the rendered files. The modules named after a subject collect what a
document shows; they share their queries with the pages.
"""
