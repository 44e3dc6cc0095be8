#include "fold.h"

#include "payload.h"
#include "reader.h"
#include "runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The product's rules, PRODUCT B8, S6, S9. */
enum {
    GRACE_MS = 10000,
    SILENCE_MS = 5000,
    RECENT_READING_MS = 5000,
    STRIDE_PERMILLE = 415
};

enum { STATE_RUNNING, STATE_PAUSED, STATE_ENDED };
enum { TRIGGER_ROLLOVER = 2 };
/* How a link ends, by the number of the cause. */
static const enum link_end ENDS[] = {
    END_UNKNOWN, END_REMOTE, END_REQUESTED, END_ADAPTER_LOST, END_DAEMON_LOST, END_TIMEOUT,
    END_AUTHENTICATION, END_SUSPENDED
};

enum {
    KIND_RECORDER_STARTED = 0x01,
    KIND_BOOT_BEGAN = 0x0A,
    KIND_ORIGIN_BEGAN = 0x0B,
    KIND_DEVICE_PAIRED = 0x23,
    KIND_PRIMARY_CHOSEN = 0x25,
    KIND_LINK_UP = 0x26,
    KIND_LINK_LOST = 0x27,
    KIND_SUBSCRIBED = 0x28,
    KIND_RECONCILIATION_TRIGGERED = 0x63,
    KIND_PEDOMETER_CHOSEN = 0x66,
    KIND_SESSION_STARTED = 0x81,
    KIND_SESSION_PAUSED = 0x82,
    KIND_SESSION_RESUMED = 0x83,
    KIND_SESSION_ENDED = 0x84,
    KIND_SESSION_MARKED = 0x85
};

/* Room for one more element of an array; false without memory. */
static bool make_room(void **array, size_t count, size_t *room, size_t element)
{
    if (count < *room) return true;
    size_t larger = *room ? 2 * *room : 64;
    void *moved = realloc(*array, larger * element);
    if (!moved) return false;
    *array = moved;
    *room = larger;
    return true;
}

FORCE_INLINE uint64_t smaller(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

/* ---- Time -------------------------------------------------------------------------------------*/

/* Attributes the time of the open session up to now, in which the link was as it is. */
FORCE_INLINE void settle(struct fold *fold)
{
    struct open_session *session = &fold->session;
    uint64_t start = session->settled;
    uint64_t end = fold->now;
    if (!session->is_open || end <= start) return;
    session->settled = end;
    ref_session *totals = &session->totals;
    const struct strap_link *link = &fold->strap;
    if (UNLIKELY(totals->state == STATE_PAUSED)) {
        totals->paused_ms += end - start;
    } else if (LIKELY(link->is_up)) {
        uint64_t known = smaller(link->has_value ? link->value_at + SILENCE_MS : start, end);
        uint64_t spoken = known > start ? known - start : 0;
        totals->silent_ms += end - start - spoken;
        if (UNLIKELY(link->is_without_pulse)) {
            totals->no_contact_ms += spoken;
        } else {
            totals->fresh_ms += spoken;
            weigh(&session->readings, spoken);
            if (UNLIKELY(session->is_on_trial)) weigh(&session->trial, spoken);
        }
    } else {
        uint64_t until = smaller(link->was_lost ? link->lost_at + GRACE_MS : start, end);
        uint64_t held = until > start ? until - start : 0;
        totals->held_ms += held;
        totals->disconnected_ms += end - start - held;
    }
}

static bool reaches(const struct open_session *session, uint64_t target)
{
    uint64_t progress = session->progress;
    if (session->goal == GOAL_DURATION)
        progress = session->settled - session->started - session->totals.paused_ms;
    return progress >= target;
}

/* Notes the first event at which the goal, or half of it, is reached. */
FORCE_INLINE void note_progress(struct open_session *session, uint64_t position)
{
    ref_session *totals = &session->totals;
    if (!session->is_open || session->goal == GOAL_NONE || session->target == 0
        || totals->goal_reached_position != UINT64_MAX)
        return;
    if (session->out_and_back && totals->turn_around_position == UINT64_MAX
        && reaches(session, session->target - session->target / 2))
        totals->turn_around_position = position;
    if (reaches(session, session->target)) totals->goal_reached_position = position;
}

/* ---- Heart ------------------------------------------------------------------------------------*/

FORCE_INLINE void link_come_up(struct fold *fold)
{
    struct strap_link *link = &fold->strap;
    if (LIKELY(link->is_up)) return;
    link->is_up = true;
    struct open_session *session = &fold->session;
    if (session->is_open)
        link_begin(&session->link, &session->totals.link, &session->readings.totals, fold->now);
    if (!link->was_lost) return;
    uint64_t gap = fold->now > link->lost_at ? fold->now - link->lost_at : 0;
    if (gap > fold->totals->longest_gap_ms) fold->totals->longest_gap_ms = gap;
}

/* Heeds what a value is or proves, before it is taken. */
static __attribute__((noinline)) void heed(struct fold *fold, enum arrival arrival)
{
    struct open_session *session = &fold->session;
    const struct delivery *delivery = &fold->strap.delivery;
    ref_link *totals = &session->totals.link;
    if (!session->is_open) return;
    switch (arrival) {
    case SINGLE: return;
    case CANDIDATE:
        if (!session->is_on_trial) session->trial = session->readings;
        session->is_on_trial = true;
        take_copy(&session->trial);
        return;
    case COPY:
        take_copy(&session->readings);
        link_note_copies(
            &session->link, totals, delivery->group_at, fold->now, delivery->factor);
        return;
    case REFUTED: session->is_on_trial = false; return;
    case PROVEN:
        if (session->is_on_trial) session->readings = session->trial;
        session->is_on_trial = false;
        link_note_copies(
            &session->link, totals, delivery->run_at, delivery->copied_at, delivery->factor);
        return;
    case ENDED: link_note_undivided(&session->link, totals); return;
    }
}

FORCE_INLINE int fold_heart(struct fold *fold, const struct block_event *event)
{
    struct strap_link *link = &fold->strap;
    const struct heart_value *value = &event->heart;
    if (UNLIKELY(event->device != link->device)) {
        if (link->device != NO_DEVICE) return REF_UNSUPPORTED;
        link->device = event->device;
    }
    link_come_up(fold);
    fold->totals->values += 1;
    enum arrival arrival = delivery_take(&link->delivery, value, fold->now);
    if (UNLIKELY(arrival != SINGLE)) {
        heed(fold, arrival);
        if (arrival == COPY) return 0;
    }
    struct open_session *session = &fold->session;
    bool is_paused = session->totals.state == STATE_PAUSED;
    if (LIKELY(session->is_open))
        take_reading(&session->readings, value, is_paused, fold->now, event->position);
    if (UNLIKELY(arrival == CANDIDATE)) return 0;
    link->has_value = true;
    link->value_at = fold->now;
    link->is_without_pulse
        = value_contact(value) == CONTACT_NOT_DETECTED
        || !is_heart_rate(value->bpm, value->control);
    if (UNLIKELY(session->is_on_trial))
        take_reading(&session->trial, value, is_paused, fold->now, event->position);
    return 0;
}

/* ---- Steps ------------------------------------------------------------------------------------*/

FORCE_INLINE ref_day *current_day(const struct fold *fold)
{
    const ref_totals *totals = fold->totals;
    return totals->day_count ? &totals->days[totals->day_count - 1] : NULL;
}

static int64_t civil_day(int64_t wall, int64_t zone_minutes)
{
    int64_t milliseconds = wall + zone_minutes * 60000;
    int64_t days = milliseconds / 86400000;
    return milliseconds % 86400000 < 0 ? days - 1 : days;
}

static int open_day(struct fold *fold, int64_t date, uint64_t position)
{
    ref_totals *totals = fold->totals;
    if (!make_room((void **)&totals->days, totals->day_count, &fold->day_room, sizeof(ref_day)))
        return ENOMEM;
    totals->days[totals->day_count++] = (ref_day){
        .date = date,
        .first_position = position,
        .last_position = position,
        .first_steps_index = totals->steps_events,
    };
    fold->pedometer.next = fold->pedometer.has_count ? READING_RESTART_ONLY : READING_DIFFERENCE;
    fold->pedometer.covered = 0;
    return 0;
}

static uint64_t steps_today(const struct fold *fold, const struct block_event *event)
{
    const ref_day *day = current_day(fold);
    if (!day || civil_day(event->wall, fold->zone_minutes) > day->date) return 0;
    return day->baseline + day->delta;
}

/* How far the goal is, if it is one in steps or distance. */
FORCE_INLINE void measure_progress(struct open_session *session)
{
    const ref_session *totals = &session->totals;
    if (session->goal != GOAL_DISTANCE) {
        session->progress = totals->steps;
        return;
    }
    session->progress = totals->pedometer_mm + totals->route_mm;
    if (session->has_height)
        session->progress
            += (totals->stride_steps * session->height_mm * STRIDE_PERMILLE + 500) / 1000;
}

/* Whether the reading had a distance, and how much that is since the one before, if there is one. */
FORCE_INLINE void session_take_steps(
    struct open_session *session, uint64_t steps, bool gave_distance, bool has_distance,
    uint64_t distance)
{
    ref_session *totals = &session->totals;
    if (!session->is_open || totals->state == STATE_PAUSED) return;
    if (UNLIKELY(session->awaits_first_reading)) {
        session->awaits_first_reading = false;
        session->has_distance = gave_distance;
        return;
    }
    totals->steps += steps;
    if (has_distance)
        totals->pedometer_mm += distance;
    else
        totals->stride_steps += steps;
    if (gave_distance) session->has_distance = true;
    measure_progress(session);
}

/* Takes a count of the pedometer that is known, on a day that is open. */
FORCE_INLINE void take_count(
    struct fold *fold, uint64_t count, bool has_own_distance, uint64_t own_distance,
    uint64_t position)
{
    struct pedometer *pedometer = &fold->pedometer;
    ref_totals *totals = fold->totals;
    uint64_t steps = 0;
    bool is_restart = false;
    if (LIKELY(pedometer->has_count)) {
        is_restart = count < pedometer->count;
        steps = is_restart ? count : count - pedometer->count;
        totals->pedometer_restarts += is_restart;
    }
    bool has_distance = has_own_distance && pedometer->has_distance
        && own_distance >= pedometer->distance;
    uint64_t distance = has_distance ? own_distance - pedometer->distance : 0;
    if (has_own_distance) {
        pedometer->has_distance = true;
        pedometer->distance = own_distance;
    }
    pedometer->has_count = true;
    pedometer->count = count;
    pedometer->read_at = fold->now;
    totals->pedometer_readings += 1;

    ref_day *day = &totals->days[totals->day_count - 1];
    uint64_t counted = pedometer->next == READING_DIFFERENCE || is_restart ? steps : 0;
    counted = counted > pedometer->covered ? counted - pedometer->covered : 0;
    pedometer->next = READING_DIFFERENCE;
    pedometer->covered = 0;
    day->delta += counted;
    day->pedometer_steps += counted;
    day->last_position = position;
    pedometer->gave_distance = has_own_distance;
    session_take_steps(&fold->session, steps, has_own_distance, has_distance, distance);
}

FORCE_INLINE int fold_count(struct fold *fold, const struct block_event *event)
{
    struct pedometer *pedometer = &fold->pedometer;
    if (UNLIKELY(event->device != pedometer->device)) {
        if (pedometer->device != NO_DEVICE) return REF_UNSUPPORTED;
        pedometer->device = event->device;
    }
    if (UNLIKELY(event->is_watch)) return REF_UNSUPPORTED;
    ref_totals *totals = fold->totals;
    if (UNLIKELY(totals->day_count == 0)) {
        int result = open_day(fold, civil_day(event->wall, fold->zone_minutes), event->position);
        if (result != 0) return result;
    }
    take_count(fold, event->count, event->has_distance, event->distance, event->position);
    return 0;
}

FORCE_INLINE int fold_fix(struct fold *fold, const struct fix *fix)
{
    struct open_session *session = &fold->session;
    if (UNLIKELY(magnitude(fix->latitude) > 900000000 || magnitude(fix->longitude) > 1800000000))
        return REF_UNSUPPORTED;
    fold->totals->fixes += 1;
    if (!session->is_open || session->totals.state == STATE_PAUSED) return 0;
    uint64_t stretch = route_take(&session->route, fix, fold->now);
    bool is_measured
        = !session->awaits_first_reading && (session->has_distance || session->has_height);
    if (is_measured) return 0;
    session->totals.route_mm += stretch;
    measure_progress(session);
    return 0;
}

static bool is_read_since(const struct fold *fold, uint64_t time)
{
    return fold->pedometer.has_count && fold->pedometer.read_at >= time;
}

/* Payload: trigger, health total if known, its end if known, date, offset. */
static int fold_reconciliation(struct fold *fold, const struct block_event *event)
{
    struct payload_reader reader
        = {.at = event->payload, .end = event->payload + event->payload_size};
    unsigned trigger = payload_byte(&reader);
    bool has_health = payload_bool(&reader);
    uint64_t health = has_health ? payload_number(&reader) : 0;
    int64_t until = payload_bool(&reader) ? payload_signed(&reader, NUMBER_LIMIT) : event->wall;
    int64_t date = payload_signed(&reader, NUMBER_LIMIT);
    payload_signed(&reader, 1441);
    if (!payload_is_at_end(&reader)) return REF_UNSUPPORTED;

    ref_day *day = current_day(fold);
    if (day && date < day->date) return REF_UNSUPPORTED;
    if (!day || date > day->date) {
        int result = open_day(fold, date, event->position);
        if (result != 0) return result;
        day = current_day(fold);
    }
    day->last_position = event->position;
    day->reconciliations += 1;
    if (trigger == TRIGGER_ROLLOVER && !has_health) return 0;
    /* The persisted value is what is displayed: baseline and delta. */
    uint64_t displayed = day->baseline + day->delta;
    bool wins = has_health && health > displayed;
    day->baseline = wins ? health : displayed;
    day->delta = 0;
    /* What the total brought may be in the pedometer's next reading again. */
    uint64_t silence = RECENT_READING_MS;
    if (event->wall - until > RECENT_READING_MS) silence = (uint64_t)(event->wall - until);
    uint64_t since = fold->now > silence ? fold->now - silence : 0;
    if (wins && fold->pedometer.has_count && !is_read_since(fold, since))
        fold->pedometer.covered += health - displayed;
    return 0;
}

/* ---- Sessions ---------------------------------------------------------------------------------*/

static uint64_t recently(const struct fold *fold)
{
    return fold->now > RECENT_READING_MS ? fold->now - RECENT_READING_MS : 0;
}

/* Payload: goal kind and target, out and back, the profile. */
static int start_session(struct fold *fold, const struct block_event *event)
{
    struct payload_reader reader
        = {.at = event->payload, .end = event->payload + event->payload_size};
    struct open_session *session = &fold->session;
    if (session->is_open) return REF_UNSUPPORTED;
    memset(session, 0, sizeof *session);
    session->goal = payload_byte(&reader);
    session->target = payload_number(&reader);
    session->out_and_back = payload_bool(&reader);
    session->has_height = payload_bool(&reader);
    if (session->has_height) session->height_mm = payload_number(&reader);
    /* Weight, daily goal, maximum and resting heart rate. */
    for (int field = 0; field < 4; field++)
        if (payload_bool(&reader)) payload_number(&reader);
    unsigned zones = payload_byte(&reader);
    payload_byte(&reader); /* steps per cadence count */
    if (!payload_is_at_end(&reader) || zones != 0 || session->goal > GOAL_DAILY)
        return REF_UNSUPPORTED;

    session->is_open = true;
    session->started = fold->now;
    session->settled = fold->now;
    session->awaits_first_reading = !is_read_since(fold, recently(fold));
    session->has_distance = !session->awaits_first_reading && fold->pedometer.gave_distance;
    session->totals.position = event->position;
    session->totals.state = STATE_RUNNING;
    session->totals.steps_baseline = steps_today(fold, event);
    session->totals.goal_reached_position = UINT64_MAX;
    session->totals.turn_around_position = UINT64_MAX;
    session->totals.link.delivery_factor = 1;
    const struct strap_link *strap = &fold->strap;
    if (!strap->is_up) return 0;
    link_note_connect(&session->totals.link, strap->knows_connect_ms, strap->connect_ms);
    link_begin(&session->link, &session->totals.link, &session->readings.totals, fold->now);
    return 0;
}

static int add_session(struct fold *fold)
{
    ref_totals *totals = fold->totals;
    fold->session.totals.readings = fold->session.readings.totals;
    fold->session.totals.route = fold->session.route.totals;
    if (!make_room((void **)&totals->sessions, totals->session_count, &fold->session_room,
                   sizeof(ref_session)))
        return ENOMEM;
    totals->sessions[totals->session_count++] = fold->session.totals;
    fold->session.is_open = false;
    return 0;
}

static void end_session_intervals(struct open_session *session)
{
    end_intervals(&session->readings);
    end_intervals(&session->trial);
}

static int fold_session(struct fold *fold, const struct block_event *event)
{
    struct open_session *session = &fold->session;
    ref_session *totals = &session->totals;
    if (event->kind == KIND_SESSION_STARTED) return start_session(fold, event);
    if (!session->is_open) return REF_UNSUPPORTED;
    switch (event->kind) {
    case KIND_SESSION_PAUSED:
        if (totals->state != STATE_RUNNING) return REF_UNSUPPORTED;
        totals->state = STATE_PAUSED;
        totals->pauses += 1;
        session->paused_at = fold->now;
        route_break(&session->route);
        link_note_undivided(&session->link, &totals->link);
        end_session_intervals(session);
        return 0;
    case KIND_SESSION_RESUMED: {
        if (totals->state != STATE_PAUSED) return REF_UNSUPPORTED;
        uint64_t since = recently(fold);
        if (session->paused_at > since) since = session->paused_at;
        totals->state = STATE_RUNNING;
        session->awaits_first_reading = !is_read_since(fold, since);
        session->has_distance = !session->awaits_first_reading && fold->pedometer.gave_distance;
        return 0;
    }
    case KIND_SESSION_ENDED:
        totals->state = STATE_ENDED;
        totals->steps_today_at_end = steps_today(fold, event);
        link_end(
            &session->link, &totals->link, &session->readings.totals, fold->now, session->started,
            END_SESSION_ENDED);
        link_note_gap(&session->link, &totals->link, fold->now);
        return add_session(fold);
    case KIND_SESSION_MARKED: totals->marks += 1; return 0;
    default: return REF_UNSUPPORTED;
    }
}

/* ---- Link and control -------------------------------------------------------------------------*/

static int fold_link(struct fold *fold, const struct block_event *event)
{
    struct payload_reader reader
        = {.at = event->payload, .end = event->payload + event->payload_size};
    struct strap_link *link = &fold->strap;
    struct open_session *session = &fold->session;
    uint64_t device = payload_device(&reader);
    if (reader.is_bad) return REF_UNSUPPORTED;
    if (event->kind == KIND_LINK_UP) {
        if (link->device == NO_DEVICE) link->device = device;
        if (link->device != device) return REF_UNSUPPORTED;
        payload_number(&reader); /* the attempt */
        link->knows_connect_ms = payload_bool(&reader);
        link->connect_ms = link->knows_connect_ms ? payload_number(&reader) : 0;
        if (!payload_is_at_end(&reader)) return REF_UNSUPPORTED;
        if (session->is_open)
            link_note_connect(&session->totals.link, link->knows_connect_ms, link->connect_ms);
        link_come_up(fold);
        return 0;
    }
    if (link->device != device) return REF_UNSUPPORTED;
    end_session_intervals(session);
    unsigned cause = payload_byte(&reader);
    if (reader.is_bad || cause >= sizeof ENDS / sizeof *ENDS) return REF_UNSUPPORTED;
    enum link_end end = ENDS[cause];
    if (!link->is_up) return 0;
    link->is_up = false;
    link->was_lost = true;
    link->lost_at = fold->now;
    link->delivery.group_count = 0;
    if (end != END_REQUESTED) fold->totals->drops += 1;
    if (session->is_open)
        link_end(
            &session->link, &session->totals.link, &session->readings.totals, fold->now,
            session->started, end);
    return 0;
}

/* A boot or a recorder begins: the zone's offset. The mixture has both once, before all else. */
static int fold_beginning(struct fold *fold, const struct block_event *event)
{
    struct payload_reader reader
        = {.at = event->payload, .end = event->payload + event->payload_size};
    uint64_t before = event->kind == KIND_BOOT_BEGAN ? 16 : payload_number(&reader);
    payload_skip(&reader, before);
    fold->zone_minutes = payload_signed(&reader, 1441);
    bool is_first = fold->strap.device == NO_DEVICE && fold->pedometer.device == NO_DEVICE;
    return reader.is_bad || !is_first ? REF_UNSUPPORTED : 0;
}

static __attribute__((noinline)) int fold_rare(struct fold *fold, const struct block_event *event)
{
    if (event->version != 1 || event->form != BODY_PAYLOAD) return REF_UNSUPPORTED;
    switch (event->kind) {
    case KIND_RECORDER_STARTED:
    case KIND_BOOT_BEGAN: return fold_beginning(fold, event);
    case KIND_ORIGIN_BEGAN:
    case KIND_DEVICE_PAIRED:
    case KIND_PRIMARY_CHOSEN:
    case KIND_SUBSCRIBED: return 0;
    case KIND_PEDOMETER_CHOSEN: return fold->pedometer.has_count ? REF_UNSUPPORTED : 0;
    case KIND_LINK_UP:
    case KIND_LINK_LOST: return fold_link(fold, event);
    case KIND_RECONCILIATION_TRIGGERED: return fold_reconciliation(fold, event);
    case KIND_SESSION_STARTED:
    case KIND_SESSION_PAUSED:
    case KIND_SESSION_RESUMED:
    case KIND_SESSION_ENDED:
    case KIND_SESSION_MARKED: return fold_session(fold, event);
    default: return REF_UNSUPPORTED;
    }
}

/* ---- The fold ---------------------------------------------------------------------------------*/

void fold_begin(struct fold *fold, ref_totals *totals)
{
    memset(fold, 0, sizeof *fold);
    fold->totals = totals;
    fold->strap.device = NO_DEVICE;
    fold->strap.delivery.factor = 1;
    fold->pedometer.device = NO_DEVICE;
}

FORCE_INLINE int fold_event(struct fold *fold, const struct block_event *event)
{
    if (UNLIKELY(event->source != 0 || event->boot_number != fold->boot_number)) {
        if (event->source != 0 || fold->has_boot) return REF_UNSUPPORTED;
        fold->boot_number = event->boot_number;
    }
    fold->has_boot = true;
    if (event->boot > fold->now) fold->now = event->boot;
    /* Steps and places change no link: their time can wait, unless it may reach a goal. */
    bool can_wait = event->form == BODY_COUNT || event->form == BODY_POSITION;
    if (!can_wait || fold->session.goal == GOAL_DURATION) settle(fold);
    int result = 0;
    switch (event->form) {
    case BODY_HEART: result = fold_heart(fold, event); break;
    case BODY_COUNT: result = fold_count(fold, event); break;
    case BODY_POSITION: result = fold_fix(fold, &event->fix); break;
    case BODY_RATE:
    case BODY_PAYLOAD: result = fold_rare(fold, event); break;
    }
    fold->totals->events += 1;
    fold->totals->steps_events += event->kind >> 5 == LANE_STEPS;
    note_progress(&fold->session, event->position);
    return result;
}

/* ---- Runs -------------------------------------------------------------------------------------*/

/* The intervals of values that all count and have some, of which there is one at least. */
FORCE_INLINE void take_run_beats(
    struct readings *readings, const struct runs *runs, unsigned first, unsigned end)
{
    if (first == end) return;
    const struct plain_heart *hearts = runs->hearts;
    const uint16_t *beats = &runs->intervals[hearts[first].first_interval];
    uint32_t count = hearts[end - 1].first_interval + hearts[end - 1].interval_count
        - hearts[first].first_interval;
    uint64_t skipped = 0, last = 0;
    for (unsigned index = 0; index < hearts[first].interval_count; index++) skipped += beats[index];
    for (unsigned index = 1; index <= hearts[end - 1].interval_count; index++)
        last += beats[count - index];
    uint64_t ticks = take_beats(readings, beats, count);
    uint64_t start = runs->entries[first].boot, now = runs->entries[end - 1].boot;
    ref_readings *totals = &readings->totals;
    if (LIKELY(readings->has_span)) {
        totals->span_ticks += ticks;
        totals->span_ms += now - readings->span_at;
        readings->last_span_ticks = last;
    } else if (end - first > 1) {
        totals->span_ticks += ticks - skipped;
        totals->span_ms += now - start;
        readings->last_span_ticks = last;
    }
    readings->has_span = true;
    readings->span_at = now;
}

/* No sum of what takes less than this leaves 32 bits. */
enum { USUAL_MS = 1 << 23 };

/*
 * Takes usual values that follow each other in a running session, but for their intervals: two
 * columns in loops without a branch. False if they have to be taken one by one.
 */
static bool fold_usual(
    struct fold *fold, const struct runs *runs, unsigned first, unsigned end)
{
    struct open_session *session = &fold->session;
    struct strap_link *link = &fold->strap;
    uint64_t last = runs->entries[end - 1].boot;
    if (last - runs->entries[first].boot >= USUAL_MS) return false;
    fold->now = runs->entries[first].boot;
    settle(fold);
    if (session->settled != fold->now) return false;
    const int32_t *times = &runs->times[first], *rates = &runs->rates[first];
    unsigned count = end - first;
    int32_t fresh = 0, weighted = 0, sum = 0, lowest = INT32_MAX, highest = 0;
    int32_t moderate = 0, vigorous = 0, maximum = 0;
    for (unsigned index = 1; index < count; index++) {
        int32_t rate = rates[index - 1];
        int32_t gap = times[index] - times[index - 1];
        int32_t spoken = gap < SILENCE_MS ? gap : SILENCE_MS;
        fresh += spoken;
        weighted += spoken * rate;
        moderate += rate >= 100 ? spoken : 0;
        vigorous += rate >= 140 ? spoken : 0;
        maximum += rate >= 180 ? spoken : 0;
    }
    for (unsigned index = 0; index < count; index++) {
        sum += rates[index];
        lowest = rates[index] < lowest ? rates[index] : lowest;
        highest = rates[index] > highest ? rates[index] : highest;
    }
    struct readings *readings = &session->readings;
    ref_readings *totals = &readings->totals;
    session->totals.fresh_ms += (uint64_t)fresh;
    session->totals.silent_ms += last - session->settled - (uint64_t)fresh;
    session->settled = fold->now = last;
    totals->weighted_sum += (uint64_t)weighted;
    totals->weighted_ms += (uint64_t)fresh;
    totals->zone_ms[0] += (uint64_t)(fresh - moderate);
    totals->zone_ms[1] += (uint64_t)(moderate - vigorous);
    totals->zone_ms[2] += (uint64_t)(vigorous - maximum);
    totals->zone_ms[3] += (uint64_t)maximum;
    if (totals->samples == 0 || (unsigned)lowest < totals->minimum_bpm)
        totals->minimum_bpm = (unsigned)lowest;
    if ((unsigned)highest > totals->maximum_bpm) {
        unsigned index = first;
        while (runs->rates[index] != highest) index += 1;
        totals->maximum_bpm = (unsigned)highest;
        totals->maximum_position = runs->entries[index].position;
    }
    totals->samples += count;
    totals->sum_bpm += (uint64_t)sum;
    readings->weighing = (unsigned)rates[count - 1];
    if (!support_none(readings, rates, count, (unsigned)highest, &runs->entries[first]))
        for (unsigned index = first; index < end; index++)
            if ((unsigned)runs->rates[index] + SUPPORT_BPM > totals->supported_bpm)
                support(
                    readings,
                    (struct sample){
                        runs->entries[index].boot, runs->entries[index].position,
                        (unsigned)runs->rates[index]});
    link->has_value = true;
    link->value_at = last;
    link->is_without_pulse = false;
    return true;
}

static void fold_hearts(struct fold *fold, const struct runs *runs)
{
    struct strap_link *link = &fold->strap;
    struct open_session *session = &fold->session;
    bool is_paused = session->totals.state == STATE_PAUSED;
    unsigned first = runs->heart_first, end = first + runs->heart_count;
    unsigned odd = 0;
    while (odd < runs->odd_count && runs->odd[odd] < first) odd += 1;
    for (unsigned index = first; session->is_open && index < end; index++) {
        while (odd < runs->odd_count && runs->odd[odd] < index) odd += 1;
        unsigned usual_end = odd < runs->odd_count && runs->odd[odd] < end ? runs->odd[odd] : end;
        if (!is_paused && usual_end - index > 3 && fold_usual(fold, runs, index, usual_end)) {
            index = usual_end - 1;
            continue;
        }
        const struct plain_heart *heart = &runs->hearts[index];
        bool is_off_skin = (heart->control >> 3 & 3) == CONTACT_NOT_DETECTED;
        fold->now = runs->entries[index].boot;
        settle(fold);
        bool counts = take_rate(
            &session->readings, heart->bpm, heart->control, is_paused, fold->now,
            runs->entries[index].position);
        link->has_value = true;
        link->value_at = fold->now;
        link->is_without_pulse = is_off_skin || !is_heart_rate(heart->bpm, heart->control);
        if (LIKELY(counts && heart->interval_count > 0)) continue;
        take_run_beats(&session->readings, runs, first, index);
        first = index + 1;
        if (counts)
            break_adjacency(&session->readings);
        else
            end_intervals(&session->readings);
    }
    if (session->is_open) take_run_beats(&session->readings, runs, first, end);
    struct heart_value last = heart_value_of(runs, end - 1);
    fold->totals->values += runs->heart_count;
    link->has_value = true;
    link->value_at = runs->entries[end - 1].boot;
    link->is_without_pulse
        = value_contact(&last) == CONTACT_NOT_DETECTED || !is_heart_rate(last.bpm, last.control);
    delivery_begin(&link->delivery, &last, link->value_at);
}

/* Whether counts of a run, or fixes between them, may reach the goal or half of it. */
static bool may_reach(
    const struct open_session *session, uint64_t steps, uint64_t distance, bool has_fixes)
{
    const ref_session *totals = &session->totals;
    if (!session->is_open || session->goal == GOAL_NONE || session->goal == GOAL_DURATION
        || totals->goal_reached_position != UINT64_MAX)
        return false;
    uint64_t target = session->target;
    if (session->out_and_back && totals->turn_around_position == UINT64_MAX) target -= target / 2;
    if (session->goal != GOAL_DISTANCE) return totals->steps + steps >= target;
    if (has_fixes && !session->has_distance && !session->has_height) return true;
    uint64_t strides = session->has_height ? totals->stride_steps + steps : 0;
    return totals->pedometer_mm + totals->route_mm + distance
        + (strides * session->height_mm * STRIDE_PERMILLE + 500) / 1000 >= target;
}

/* Takes the counts of a run together if each goes on from the one before in every way. */
static bool fold_steady(struct fold *fold, const struct runs *runs)
{
    struct open_session *session = &fold->session;
    struct pedometer *pedometer = &fold->pedometer;
    const struct plain_count *counts = &runs->counts[runs->steps_first - AHEAD];
    bool has_distance = counts[0].has_distance;
    bool is_running = session->is_open && session->totals.state != STATE_PAUSED;
    if (!pedometer->has_count || (has_distance && !pedometer->has_distance)
        || pedometer->next != READING_DIFFERENCE || pedometer->covered > 0
        || (is_running
            && (session->awaits_first_reading || session->has_distance != has_distance)))
        return false;
    uint64_t count = pedometer->count, distance = has_distance ? pedometer->distance : 0;
    bool is_steady = true;
    for (unsigned index = 0; index < runs->steps_count; index++) {
        is_steady = is_steady && counts[index].count >= count
            && counts[index].distance >= distance && counts[index].has_distance == has_distance;
        count = counts[index].count;
        distance = counts[index].distance;
    }
    uint64_t way = has_distance ? distance - pedometer->distance : 0;
    if (!is_steady
        || may_reach(session, count - pedometer->count, way, runs->fixes_end > runs->fixes_first))
        return false;
    const struct plain *last = &runs->entries[runs->steps_first + runs->steps_count - 1];
    ref_day *day = &fold->totals->days[fold->totals->day_count - 1];
    uint64_t steps = count - pedometer->count;
    day->delta += steps;
    day->pedometer_steps += steps;
    day->last_position = last->position;
    if (is_running) {
        session->totals.steps += steps;
        if (has_distance)
            session->totals.pedometer_mm += distance - pedometer->distance;
        else
            session->totals.stride_steps += steps;
        measure_progress(session);
    }
    pedometer->count = count;
    if (has_distance) pedometer->distance = distance;
    pedometer->gave_distance = has_distance;
    pedometer->read_at = last->boot;
    fold->totals->pedometer_readings += runs->steps_count;
    return true;
}

static int fold_others(struct fold *fold, const struct runs *runs)
{
    int result = 0;
    if (runs->steps_count > 0 && fold_steady(fold, runs)) {
        for (unsigned place = runs->fixes_first; result == 0 && place < runs->fixes_end; place++) {
            fold->now = runs->entries[place].boot;
            result = fold_fix(fold, &runs->fixes[place - lane_start(LANE_PLACE)]);
        }
        return result;
    }
    for (unsigned index = 0; index < runs->other_count; index++) {
        unsigned place = runs->others[index];
        uint64_t position = runs->entries[place].position;
        fold->now = runs->entries[place].boot;
        if (place >= lane_start(LANE_PLACE)) {
            result = fold_fix(fold, &runs->fixes[place - lane_start(LANE_PLACE)]);
            if (UNLIKELY(result != 0)) return result;
        } else {
            const struct plain_count *count = &runs->counts[place - lane_start(LANE_STEPS)];
            take_count(fold, count->count, count->has_distance, count->distance, position);
        }
        if (fold->session.goal != GOAL_DURATION) note_progress(&fold->session, position);
    }
    return 0;
}

/* When a goal in time, or half of it, is due; such an event is folded by itself. */
static uint64_t due(const struct open_session *session)
{
    const ref_session *totals = &session->totals;
    if (!session->is_open || session->goal != GOAL_DURATION || session->target == 0
        || totals->goal_reached_position != UINT64_MAX || totals->state == STATE_PAUSED)
        return UINT64_MAX;
    uint64_t target = session->target;
    if (session->out_and_back && totals->turn_around_position == UINT64_MAX) target -= target / 2;
    return session->started + totals->paused_ms + target;
}

/* Folds what may come as a run now, and tells whether anything does. */
static int fold_run(
    struct fold *fold, struct block_reader *reader, struct runs *runs, bool *is_folded)
{
    *is_folded = false;
    read_ahead(reader, runs, COPY_MS);
    const struct strap_link *link = &fold->strap;
    if (!fold->has_boot) return 0;
    bool takes_hearts = runs->next[LANE_HEART] < runs->end[LANE_HEART] && link->is_up
        && link->device == reader->lanes[LANE_HEART].state.device && !link->delivery.is_watched
        && !fold->session.is_on_trial
        && runs->entries[runs->next[LANE_HEART]].boot > link->delivery.group_at + COPY_MS;
    bool takes_counts = fold->totals->day_count > 0
        && fold->pedometer.device == reader->lanes[LANE_STEPS].state.device;
    for (size_t number = 0; number < LANES; number++)
        if (runs->next[number] < runs->end[number]
            && reader->lanes[number].state.boot_number != fold->boot_number)
            return 0;
    if (!gather(reader, runs, fold->now, due(&fold->session), takes_hearts, takes_counts))
        return 0;
    if (runs->heart_count > 0) fold_hearts(fold, runs);
    int result = fold_others(fold, runs);
    fold->now = runs->entries[runs->last].boot;
    if (fold->session.goal == GOAL_DURATION) settle(fold);
    fold->totals->events += runs->heart_count + runs->other_count;
    fold->totals->steps_events += runs->steps_count;
    *is_folded = true;
    return result;
}

int fold_block(struct fold *fold, const uint8_t *block, size_t size)
{
    struct block_reader reader;
    struct runs *runs = &fold->runs;
    runs_begin(runs);
    if (!reader_begin(&reader, block, size)) return REF_DAMAGED;
    while (reader.remaining > 0) {
        bool is_folded;
        int result = fold_run(fold, &reader, runs, &is_folded);
        if (result == 0 && is_folded) continue;
        struct block_event event;
        if (result == 0 && !runs_next(&reader, runs, &event)) return REF_DAMAGED;
        if (result == 0) result = fold_event(fold, &event);
        if (UNLIKELY(result != 0)) return result;
    }
    return reader_is_at_end(&reader) ? 0 : REF_DAMAGED;
}

int fold_single(struct fold *fold, const struct block_event *event)
{
    return fold_event(fold, event);
}

int fold_end(struct fold *fold)
{
    fold->totals->now_ms = fold->now;
    return fold->session.is_open ? add_session(fold) : 0;
}
