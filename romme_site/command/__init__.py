"""What is called to start, save and stand by: ``make run``, ``make backup`` and their like.

Nothing of it runs inside the server. Django is loaded inside the functions: what can be refused
without it is refused at once.
"""
