"""Prizes: their computation, payouts, and goods handed over."""
