/** Codes, events and moves as sentences in the player's language. */
import { m } from "../paraglide/messages.js";
import type { Happening, Notice } from "../protocol";
import { Problem } from "./api";
import { kindName } from "./cards";
import { called, levelName } from "./levels";
import { bounds, parseMove, type MustPlay, type View } from "./view";

type Parameters = Record<string, unknown>;
type Sentence = (parameters: never) => string;

const ERRORS: Record<string, Sentence> = {
  already_chosen: m.error_already_chosen,
  already_seated: m.error_already_seated,
  bad_commitment: m.error_bad_commitment,
  bad_message: m.error_bad_message,
  bad_name: m.error_bad_name,
  bad_rules: m.error_bad_rules,
  bad_seed: m.error_bad_seed,
  bad_settings: m.error_bad_settings,
  chat_off: m.error_chat_off,
  choose_first: m.error_choose_first,
  closed: m.error_closed,
  code_expired: m.error_code_expired,
  draw_or_leave_first: m.error_draw_or_leave_first,
  face_down_first: m.error_face_down_first,
  face_up_first: m.error_face_up_first,
  game_over: m.error_game_over,
  give_first: m.error_give_first,
  hand_first: m.error_hand_first,
  hello_first: m.error_hello_first,
  kicked: m.error_kicked,
  must_draw: m.error_must_draw,
  muted: m.error_muted,
  name_refused: m.error_name_refused,
  no_card_there: m.error_no_card_there,
  no_hints: m.error_no_hints,
  no_rating: m.error_no_rating,
  no_spectators: m.error_no_spectators,
  no_such_bot: m.error_no_such_bot,
  no_such_game: m.error_no_such_game,
  no_such_move: m.error_no_such_move,
  no_such_page: m.error_no_such_page,
  no_such_seat: m.error_no_such_seat,
  no_such_table: m.error_no_such_table,
  not_allowed: m.error_not_allowed,
  not_covered: m.error_not_covered,
  not_face_up: m.error_not_face_up,
  not_host: m.error_not_host,
  not_in_hand: m.error_not_in_hand,
  not_json: m.error_not_json,
  not_over: m.error_not_over,
  not_paused: m.error_not_paused,
  not_seated: m.error_not_seated,
  not_stored: m.error_not_stored,
  not_to_oneself: m.error_not_to_oneself,
  not_your_turn: m.error_not_your_turn,
  nothing_to_draw: m.error_nothing_to_draw,
  nothing_to_give: m.error_nothing_to_give,
  paused: m.error_paused,
  pile_is_empty: m.error_pile_is_empty,
  replaced: m.error_replaced,
  seat_is_out: m.error_seat_is_out,
  seat_moved: m.error_seat_moved,
  seat_taken: m.error_seat_taken,
  server_error: m.error_server_error,
  stale_game: m.error_stale_game,
  stale_ply: m.error_stale_ply,
  stopped: m.error_stopped,
  stopping: m.error_stopping,
  table_card_first: m.error_table_card_first,
  table_full: m.error_table_full,
  too_fast: m.error_too_fast,
  too_few_players: m.error_too_few_players,
  too_high: m.error_too_high,
  too_large: m.error_too_large,
  too_low: m.error_too_low,
  too_many: m.error_too_many,
  too_many_tables: m.error_too_many_tables,
  too_slow: m.error_too_slow,
  unknown_token: m.error_unknown_token,
  unreachable: m.error_unreachable,
  wrong_invite: m.error_wrong_invite,
  wrong_method: m.error_wrong_method,
  wrong_origin: m.error_wrong_origin,
  wrong_phase: m.error_wrong_phase,
  wrong_protocol: m.error_wrong_protocol,
};

const NOTICES: Record<string, Sentence> = {
  bot_added: m.notice_bot_added,
  bot_failed: m.notice_bot_failed,
  clock_ran_out: m.notice_clock_ran_out,
  dealt: m.notice_dealt,
  game_over: m.notice_game_over,
  game_stopped: m.notice_game_stopped,
  host_changed: m.notice_host_changed,
  invite_rotated: m.notice_invite_rotated,
  opened: m.notice_opened,
  paused: m.notice_paused,
  player_covered: m.notice_player_covered,
  player_joined: m.notice_player_joined,
  player_kicked: m.notice_player_kicked,
  player_left: m.notice_player_left,
  player_returned: m.notice_player_returned,
  rematch_wanted: m.notice_rematch_wanted,
  resumed: m.notice_resumed,
  seat_moved: m.notice_seat_moved,
  seat_removed: m.notice_seat_removed,
  seed_missing: m.notice_seed_missing,
  settings_changed: m.notice_settings_changed,
  shuffling: m.notice_shuffling,
  table_closed: m.notice_table_closed,
  undone: m.notice_undone,
};

const PHRASES: Record<string, () => string> = {
  hello: m.phrase_hello,
  good_luck: m.phrase_good_luck,
  well_played: m.phrase_well_played,
  thanks: m.phrase_thanks,
  sorry: m.phrase_sorry,
  oops: m.phrase_oops,
  ouch: m.phrase_ouch,
  laugh: m.phrase_laugh,
  thinking: m.phrase_thinking,
  hurry: m.phrase_hurry,
  one_moment: m.phrase_one_moment,
  what_goes_around: m.phrase_what_goes_around,
  good_game: m.phrase_good_game,
  bye: m.phrase_bye,
};

const EDITIONS: Record<string, [() => string, () => string]> = {
  classic: [m.edition_classic, m.edition_classic_about],
  alternative: [m.edition_alternative, m.edition_alternative_about],
  mini: [m.edition_mini, m.edition_mini_about],
  online: [m.edition_online, m.edition_online_about],
};

const say = (sentence: Sentence, parameters: Parameters) => sentence(parameters as never);

export function errorText(code: string, parameters: Parameters = {}): string {
  const sentence = ERRORS[code];
  const kind = parameters["kind"];
  const card = typeof kind === "string" ? { card: kindName(kind) } : {};
  return sentence ? say(sentence, { ...parameters, ...card }) : m.error_unknown({ code });
}

/** Whatever was thrown, as a sentence that says what to do. */
export function problemText(problem: unknown): string {
  return problem instanceof Problem ? errorText(problem.code, problem.parameters) : errorText("server_error");
}

export function phraseText(phrase: string): string {
  return PHRASES[phrase]?.() ?? phrase;
}

export function editionName(edition: string): string {
  return EDITIONS[edition]?.[0]() ?? edition;
}

export function editionAbout(edition: string): string {
  return EDITIONS[edition]?.[1]() ?? "";
}

export function mustText(must: MustPlay): string {
  if (must === null) return m.must_anything();
  if (must === "table-card") return m.must_table();
  const [least, most] = bounds(must);
  return "at_least" in must ? m.must_at_least({ number: least }) : m.must_at_most({ number: most });
}

export type Event = Happening["events"][number];

const cards = (count: number) => m.count_cards({ count });

/** One event of the game, told to one seat. */
export function eventText(event: Event, players: readonly string[], me: number | null): string {
  const person = (seat: number) => ({ who: seat === me ? "you" : "other", name: players[seat] ?? "" });
  switch (event.event) {
    case "chose":
      return m.event_chose(person(event.seat));
    case "revealed":
      return m.event_revealed();
    case "played": {
      const one = { ...person(event.seat), card: kindName(event.kind) };
      const all = { ...one, cards: cards(event.count) };
      if (event.source === "hand") return event.count > 1 ? m.event_played_several(all) : m.event_played(one);
      return event.count > 1 ? m.event_played_several_from_table(all) : m.event_played_from_table(one);
    }
    case "turned_over": {
      const one = { ...person(event.seat), card: kindName(event.kind) };
      return event.fits ? m.event_turned_over(one) : m.event_turned_over_misfit(one);
    }
    case "picked_up":
      return event.count > 0
        ? m.event_picked_up({ ...person(event.seat), cards: cards(event.count) })
        : m.event_picked_up_nothing(person(event.seat));
    case "gave": {
      const given = { ...person(event.seat), cards: cards(event.count) };
      return event.to === me ? m.event_gave_to_you(given) : m.event_gave({ ...given, to: players[event.to] ?? "" });
    }
    case "completed_set":
      return m.event_completed_set({ ...person(event.seat), card: kindName(event.kind), count: event.count });
    case "removed":
      return event.kind === null
        ? m.event_removed({ cards: cards(event.count) })
        : m.event_removed_kind({ cards: cards(event.count), card: kindName(event.kind) });
    case "brought_up":
      return m.event_brought_up({ card: kindName(event.kind) });
    case "drew":
      return m.event_drew({ ...person(event.seat), cards: cards(event.count) });
    case "left_draw":
      return m.event_left_draw(person(event.seat));
    case "went_out":
      return m.event_went_out({ ...person(event.seat), place: event.place });
    case "came_back":
      return m.event_came_back(person(event.seat));
    case "stalled":
      return m.event_stalled();
    case "ended":
      return event.loser === null ? m.event_ended_without_loser() : m.event_ended(person(event.loser));
  }
}

export function noticeText(notice: Notice, players: readonly string[]): string {
  const sentence = NOTICES[notice.code];
  if (!sentence) return "";
  const dealer = notice.parameters["dealer"];
  const { name, level } = notice.parameters;
  return say(sentence, {
    ...notice.parameters,
    ...(typeof dealer === "number" ? { name: players[dealer] ?? "" } : typeof name === "string" ? { name: called(name) } : {}),
    ...(typeof level === "string" ? { level: levelName(level) } : {}),
  });
}

/** Everything that one step brought, as sentences; draws and bare choices are left out of the short form. */
export function stepTexts(step: Happening, players: readonly string[], me: number | null, short = false): string[] {
  const dull = new Set(short ? ["drew", "chose", "removed"] : ["chose"]);
  const ended = step.events.some((event) => event.event === "ended"); // which says it with the loser's name
  return [
    ...step.events
      .filter((event) => !dull.has(event.event))
      .map((event) => eventText(event, players, me)),
    ...step.notices
      .filter((notice) => !(ended && notice.code === "game_over"))
      .map((notice) => noticeText(notice, players)),
  ].filter(Boolean);
}

/** A move as a wish: what a hint or a button says. */
export function moveText(text: string, view: View): string {
  const move = parseMove(text);
  switch (move.type) {
    case "choose":
      return m.move_choose({ card: kindName(move.kind) });
    case "play":
      return move.count > 1
        ? m.move_play_several({ card: kindName(move.kind), cards: cards(move.count) })
        : m.move_play({ card: kindName(move.kind) });
    case "turn_over":
      return m.move_turn_over({ number: move.place + 1 });
    case "pick_up":
      return view.pile.length > 0 ? m.move_pick_up({ cards: cards(view.pile.length) }) : m.move_pick_up_nothing();
    case "give":
      return m.move_give({ name: view.players[move.seat] ?? "" });
    case "draw":
      return m.move_draw();
    case "leave":
      return m.move_leave();
  }
}
