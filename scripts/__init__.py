"""Commands of ``make``, each run as ``python -m scripts.NAME`` from the project's folder.

``environment`` and ``system`` use the standard library only: they run first.
"""
