#include "fold.h"

#include "payload.h"
#include "reader.h"

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
enum { CONTACT_NOT_DETECTED = 2 };
enum { TRIGGER_ROLLOVER = 2 };
enum { CAUSE_REQUESTED = 2 };
enum { NO_BPM = 0 };

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

FORCE_INLINE void weigh(struct open_session *session, uint64_t milliseconds)
{
    unsigned bpm = session->weighing;
    if (bpm == NO_BPM || milliseconds == 0) return;
    ref_session *totals = &session->totals;
    totals->weighted_sum += milliseconds * bpm;
    totals->weighted_ms += milliseconds;
    totals->zone_ms[(bpm >= 100) + (bpm >= 140) + (bpm >= 180)] += milliseconds;
}

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
            weigh(session, spoken);
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
    if (!link->was_lost) return;
    uint64_t gap = fold->now > link->lost_at ? fold->now - link->lost_at : 0;
    if (gap > fold->totals->longest_gap_ms) fold->totals->longest_gap_ms = gap;
}

/* Compares a sample with those before and keeps it. Called for samples that can matter only. */
static void support(struct open_session *session, struct sample sample)
{
    ref_session *totals = &session->totals;
    for (unsigned index = 0; index < session->ring_count; index++) {
        struct sample other = session->ring[index];
        bool other_is_higher = other.bpm >= sample.bpm;
        unsigned high = other_is_higher ? other.bpm : sample.bpm;
        unsigned low = other_is_higher ? sample.bpm : other.bpm;
        if (high <= totals->supported_bpm || high - low > 10
            || sample.at > other.at + 5000)
            continue;
        totals->supported_bpm = high;
        totals->supported_position = other_is_higher ? other.position : sample.position;
    }
    if (session->ring_count < SUPPORT_RING) {
        session->ring[session->ring_count++] = sample;
    } else {
        session->ring[session->ring_oldest] = sample;
        session->ring_oldest = (session->ring_oldest + 1) % SUPPORT_RING;
    }
}

FORCE_INLINE void add_difference(ref_rr_sums *sums, unsigned difference)
{
    sums->differences += 1;
    sums->sum_squared_differences += (uint64_t)difference * difference;
    sums->differences_over_50_ms += difference >= 52; /* 51.2 ticks */
}

FORCE_INLINE void add_beat(ref_rr_sums *sums, unsigned ticks)
{
    sums->count += 1;
    sums->sum += ticks;
    sums->sum_squared += (uint64_t)ticks * ticks;
}

FORCE_INLINE void take_interval(struct open_session *session, unsigned ticks)
{
    ref_session *totals = &session->totals;
    add_beat(&totals->raw, ticks);
    bool passes = ticks >= 308 && ticks <= 2048; /* 300 to 2,000 ms */
    if (LIKELY(session->has_beat)) {
        unsigned before = session->beat;
        unsigned difference = ticks > before ? ticks - before : before - ticks;
        add_difference(&totals->raw, difference);
        passes = passes && difference * 5 <= before;
        if (passes && session->beat_passed) add_difference(&totals->filtered, difference);
    }
    if (passes) add_beat(&totals->filtered, ticks);
    session->has_beat = true;
    session->beat = ticks;
    session->beat_passed = passes;
}

/* The beats of a notification, in which there is one at least. */
FORCE_INLINE void take_intervals(struct fold *fold, const struct block_event *event)
{
    struct open_session *session = &fold->session;
    uint64_t ticks = 0;
    for (size_t index = 0; index < event->interval_count; index++) {
        take_interval(session, event->intervals[index]);
        ticks += event->intervals[index];
    }
    if (LIKELY(session->has_span)) {
        session->totals.span_ticks += ticks;
        session->totals.span_ms += fold->now - session->span_at;
    }
    session->has_span = true;
    session->span_at = fold->now;
}

/* A link loss, a pause, or a reading that does not count. */
FORCE_INLINE void end_span(struct open_session *session)
{
    session->has_beat = false;
    session->has_span = false;
}

FORCE_INLINE int fold_heart(struct fold *fold, const struct block_event *event)
{
    struct strap_link *link = &fold->strap;
    if (UNLIKELY(event->device != link->device)) {
        if (link->device != NO_DEVICE) return REF_UNSUPPORTED;
        link->device = event->device;
    }
    unsigned bpm = event->bpm;
    bool is_off_skin = event->contact == CONTACT_NOT_DETECTED;
    link_come_up(fold);
    link->has_value = true;
    link->value_at = fold->now;
    link->is_without_pulse = is_off_skin || bpm == NO_BPM;
    fold->totals->values += 1;

    struct open_session *session = &fold->session;
    ref_session *totals = &session->totals;
    if (!session->is_open) return 0;
    if (UNLIKELY(totals->state == STATE_PAUSED || link->is_without_pulse)) {
        end_span(session);
        session->weighing = NO_BPM;
        if (totals->state == STATE_PAUSED)
            totals->excluded_paused += 1;
        else if (is_off_skin)
            totals->excluded_no_contact += 1;
        else
            totals->excluded_zero += 1;
        return 0;
    }
    if (UNLIKELY(totals->samples == 0 || bpm < totals->minimum_bpm)) totals->minimum_bpm = bpm;
    if (UNLIKELY(bpm > totals->maximum_bpm)) {
        totals->maximum_bpm = bpm;
        totals->maximum_position = event->position;
    }
    totals->samples += 1;
    totals->sum_bpm += bpm;
    session->weighing = bpm;
    if (bpm + 10 > totals->supported_bpm)
        support(session, (struct sample){fold->now, event->position, bpm});
    if (LIKELY(event->interval_count > 0))
        take_intervals(fold, event);
    else
        session->has_beat = false;
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
    return 0;
}

static uint64_t steps_today(const struct fold *fold, const struct block_event *event)
{
    const ref_day *day = current_day(fold);
    if (!day || civil_day(event->wall, fold->zone_minutes) > day->date) return 0;
    return day->baseline + day->delta;
}

FORCE_INLINE void session_take_steps(
    struct open_session *session, uint64_t steps, bool has_distance, uint64_t distance)
{
    ref_session *totals = &session->totals;
    if (!session->is_open || totals->state == STATE_PAUSED) return;
    if (UNLIKELY(session->awaits_first_reading)) {
        session->awaits_first_reading = false;
        return;
    }
    totals->steps += steps;
    if (has_distance)
        totals->pedometer_mm += distance;
    else
        totals->stride_steps += steps;
    if (session->goal != GOAL_DISTANCE) {
        session->progress = totals->steps;
        return;
    }
    session->progress = totals->pedometer_mm;
    if (session->has_height)
        session->progress
            += (totals->stride_steps * session->height_mm * STRIDE_PERMILLE + 500) / 1000;
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
    uint64_t steps = 0;
    bool is_restart = false;
    if (LIKELY(pedometer->has_count)) {
        is_restart = event->count < pedometer->count;
        steps = is_restart ? event->count : event->count - pedometer->count;
        totals->pedometer_restarts += is_restart;
    }
    bool has_distance = event->has_distance && pedometer->has_distance
        && event->distance >= pedometer->distance;
    uint64_t distance = has_distance ? event->distance - pedometer->distance : 0;
    if (event->has_distance) {
        pedometer->has_distance = true;
        pedometer->distance = event->distance;
    }
    pedometer->has_count = true;
    pedometer->count = event->count;
    pedometer->read_at = fold->now;
    totals->pedometer_readings += 1;

    ref_day *day = &totals->days[totals->day_count - 1];
    uint64_t counted = pedometer->next == READING_DIFFERENCE || is_restart ? steps : 0;
    pedometer->next = READING_DIFFERENCE;
    day->delta += counted;
    day->pedometer_steps += counted;
    day->last_position = event->position;
    session_take_steps(&fold->session, steps, has_distance, distance);
    return 0;
}

/* Payload: trigger, health total if known, its end if known, date, offset. */
static int fold_reconciliation(struct fold *fold, const struct block_event *event)
{
    struct payload_reader reader
        = {.at = event->payload, .end = event->payload + event->payload_size};
    unsigned trigger = payload_byte(&reader);
    bool has_health = payload_bool(&reader);
    uint64_t health = has_health ? payload_number(&reader) : 0;
    if (payload_bool(&reader)) payload_signed(&reader, NUMBER_LIMIT);
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
    day->baseline = has_health && health > displayed ? health : displayed;
    day->delta = 0;
    return 0;
}

/* ---- Sessions ---------------------------------------------------------------------------------*/

static bool is_read_since(const struct fold *fold, uint64_t time)
{
    return fold->pedometer.has_count && fold->pedometer.read_at >= time;
}

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
    session->totals.position = event->position;
    session->totals.state = STATE_RUNNING;
    session->totals.steps_baseline = steps_today(fold, event);
    session->totals.goal_reached_position = UINT64_MAX;
    session->totals.turn_around_position = UINT64_MAX;
    return 0;
}

static int add_session(struct fold *fold)
{
    ref_totals *totals = fold->totals;
    if (!make_room((void **)&totals->sessions, totals->session_count, &fold->session_room,
                   sizeof(ref_session)))
        return ENOMEM;
    totals->sessions[totals->session_count++] = fold->session.totals;
    fold->session.is_open = false;
    return 0;
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
        end_span(session);
        return 0;
    case KIND_SESSION_RESUMED: {
        if (totals->state != STATE_PAUSED) return REF_UNSUPPORTED;
        uint64_t since = recently(fold);
        if (session->paused_at > since) since = session->paused_at;
        totals->state = STATE_RUNNING;
        session->awaits_first_reading = !is_read_since(fold, since);
        return 0;
    }
    case KIND_SESSION_ENDED:
        totals->state = STATE_ENDED;
        totals->steps_today_at_end = steps_today(fold, event);
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
    uint64_t device = payload_device(&reader);
    if (reader.is_bad) return REF_UNSUPPORTED;
    if (event->kind == KIND_LINK_UP) {
        if (link->device == NO_DEVICE) link->device = device;
        if (link->device != device) return REF_UNSUPPORTED;
        link_come_up(fold);
        return 0;
    }
    if (link->device != device) return REF_UNSUPPORTED;
    end_span(&fold->session);
    unsigned cause = payload_byte(&reader);
    if (reader.is_bad) return REF_UNSUPPORTED;
    if (!link->is_up) return 0;
    link->is_up = false;
    link->was_lost = true;
    link->lost_at = fold->now;
    if (cause != CAUSE_REQUESTED) fold->totals->drops += 1;
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
    settle(fold);
    int result = 0;
    switch (event->form) {
    case BODY_HEART: result = fold_heart(fold, event); break;
    case BODY_COUNT: result = fold_count(fold, event); break;
    case BODY_POSITION: fold->totals->fixes += 1; break;
    case BODY_RATE:
    case BODY_PAYLOAD: result = fold_rare(fold, event); break;
    }
    fold->totals->events += 1;
    fold->totals->steps_events += event->kind >> 5 == LANE_STEPS;
    note_progress(&fold->session, event->position);
    return result;
}

int fold_block(struct fold *fold, const uint8_t *block, size_t size)
{
    struct block_reader reader;
    if (!reader_begin(&reader, block, size)) return REF_DAMAGED;
    while (reader.remaining > 0) {
        struct block_event event;
        if (!reader_next(&reader, &event)) return REF_DAMAGED;
        int result = fold_event(fold, &event);
        if (UNLIKELY(result != 0)) return result;
    }
    return reader_is_at_end(&reader) ? 0 : REF_DAMAGED;
}

int fold_end(struct fold *fold)
{
    fold->totals->now_ms = fold->now;
    return fold->session.is_open ? add_session(fold) : 0;
}
