"""The draw and the planning of seats (§§ 2.1.1, 2.1.2): sizes, chance, über Kreuz, Serien.

The names that other packages use are imported here; ``docs/seating.md`` explains the method.
"""

from __future__ import annotations

from scoring.seating.by_rank import RankOrder, set_by_rank
from scoring.seating.chance import Chance
from scoring.seating.draw import deal, draw
from scoring.seating.findings import SeatingFindings, examine
from scoring.seating.metrics import Metrics, Player, measure
from scoring.seating.opposite_seats import count_beside, cross, cross_drawn, least_beside_at
from scoring.seating.order import even_firsts
from scoring.seating.plan import STARTS, Offer, Plan, Progress, plan
from scoring.seating.sizes import DEFAULT_SIZES, problems_of_sizes, table_sizes
from scoring.seating.stored_plans import single_draw_rematches
