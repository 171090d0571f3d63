"""The rules of play in our own words, as data: one module for each family of rule sets.

What the program counts by itself stands in ``scoring.rulesets``; here is what people at a table
and Schiedsrichter go by (§§ 1.2, 3.1). ``queries/rules_of_play.py`` puts a page together.
"""
