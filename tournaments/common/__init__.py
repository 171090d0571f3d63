"""What every room uses: who acts and may act, locks, acts that count once, fields, names."""
