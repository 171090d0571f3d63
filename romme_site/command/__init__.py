"""The commands of the operator: ``make run``, ``make backup`` and others.

They run outside the server. Django is loaded inside the functions, so that invalid input is
refused before it is loaded.
"""
