"""Money that follows from points: Bußgeld, prizes and what they pay out, settlements."""
