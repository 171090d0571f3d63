"""How often walks try the acts of each part of a tournament, and acts that follow others."""

from __future__ import annotations

MONEY = {"register": 8, "pay": 8, "refund_credit": 3, "move_credit": 4, "reverse_receipt": 4}
PEOPLE = {
    "withdraw": 3,
    "rejoin": 3,
    "substitute": 3,
    "change_tariff": 4,
    "admit": 2,
    "tick_off": 6,
}
PEOPLE |= {"leave": 3, "come_back": 3}
QUEUE = {"accept_offer": 14, "decline_offer": 9, "end_offer": 9, "ask_by_phone": 9, "admit": 4}
PLAYING = {"enter_game": 40, "copy_whole_list": 8, "change_game": 6, "sign_on_paper": 8}
PLAYING |= {"call": 2, "give_extra_time": 1}
CHECKING = {
    "propose_penalty": 2,
    "take_all": 10,
    "verify": 10,
    "correct_list": 12,
    "approve_correction": 6,
}
DRAWING = {"begin_draw": 10, "store_plan": 14, "publish_draw": 14, "change_seats": 5, "untick": 4}
ENDING = {"close_serie": 12, "close_serie_and_draw": 3, "reopen_serie": 1, "pay_all": 3}
PAYING = {"pay_prize": 8, "hand_over": 5, "take_back_goods": 3, "record_playoff": 5, "pay_all": 3}
PAYING |= {
    "begin_lottery": 3,
    "draw_lottery": 6,
    "withdraw_lottery": 1,
    "choose_thing": 8,
    "pass_over": 3,
    "call_again": 2,
}
PAYING |= {"correct_list": 8, "approve_correction": 4, "reverse_receipt": 3, "reopen_serie": 2}
PAYING |= {
    "close": 4,
    "close_serie": 3,
    "close_serie_and_draw": 5,
    "correct_exclusion": 2,
    "open_till": 3,
    "change_prize_plan": 1,
}
RARE = {"call_off": 0, "undo_calling_off": 5, "close": 1, "reopen": 5, "back_to_draft": 0}
RARE |= {
    "change_fields": 1,
    "announce": 5,
    "strike_out": 0,
    "reinstate": 3,
    "start": 0,
    "take_back_file": 1,
}

# Acts that need an earlier act.
FOLLOWING = {
    "add_screen": ["remove_screen"],
    "ask_for_correction": ["decide_case"],
    "begin_draw": ["enter_cards", "enter_cards_at_table", "fill_up_cards", "drop_draft"],
    "begin_lottery": ["draw_lottery", "withdraw_lottery"],
    "call": ["take_call", "settle_call"],
    "call_off": ["refund", "refund_all", "undo_calling_off"],
    "change_fields": ["leave_untold"],
    "change_game": ["sign"],
    "close": ["reopen"],
    "close_serie": ["reopen_serie", "close"],
    "correct_list": ["approve_correction", "reject_correction", "tell_notice"],
    "create_team": ["take_wish"],
    "decide_case": ["tell_decision"],
    "draw_lottery": ["hand_over", "withdraw_lottery"],
    "give_penalty": ["withdraw_penalty", "tell_notice", "acknowledge_notice"],
    "give_penalty_at_once": ["withdraw_penalty"],
    "leave": ["change_seats", "come_back"],
    "mark_no_show": ["change_seats"],
    "offer_places": ["accept_offer", "decline_offer", "ask_by_phone", "end_offer"],
    "pay": ["move_credit", "refund_credit"],
    "propose_penalty": ["give_penalty", "reject_penalty"],
    "publish_draw": ["swap_seats", "start_serie", "begin_draw", "take_back_start"],
    "record_playoff": ["withdraw_playoff"],
    "release_results": ["hold_back_results"],
    "send": ["attach", "dismiss", "register_as_new", "change_line", "take_wish", "drop_wish"],
    "separate": ["unseparate"],
    "set_aside": ["bring_back"],
    "sign_on_paper": ["ask_for_correction"],
    "start_serie": ["take_back_start", "give_extra_time"],
    "strike_out": ["reinstate"],
    "swap_seats": ["leave_untold"],
    "take_all": ["unverify", "ask_for_correction"],
    "take_in": ["book_clear", "book_transfer", "set_aside"],
    "tell_notice": ["acknowledge_notice"],
    "take_over": ["allow_take_over"],
    "untick": ["change_seats"],
    "verify": ["close_serie_and_draw", "unverify"],
    "waive_bussgeld": ["take_back_waiver"],
    "withdraw": ["change_seats", "refund_credit", "offer_places"],
}
