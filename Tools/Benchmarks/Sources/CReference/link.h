/* The connection spans of a session. Called seldom: when the link changes, and for copies. */

#ifndef PULSELOG_LINK_H
#define PULSELOG_LINK_H

#include "readings.h"

#include <string.h>

/* How a span ends; those below REF_DROPS are drops. */
enum link_end {
    END_UNKNOWN,
    END_TIMEOUT,
    END_REMOTE,
    END_AUTHENTICATION,
    END_SUSPENDED,
    END_ADAPTER_LOST,
    END_DAEMON_LOST,
    END_REQUESTED,
    END_SESSION_ENDED = 10
};

/* The span that stands, and the gap. */
struct session_link {
    bool is_up;
    bool was_up;
    bool is_multiplied;
    uint64_t ended_at;
    uint64_t started_at;
    uint64_t multiplied_since;
    uint64_t multiplied_until;
    uint64_t factor;
    ref_span before; /* what had arrived when the span began */
};

static inline void link_note_connect(ref_link *totals, bool is_known, uint64_t milliseconds)
{
    if (!is_known) return;
    if (totals->connect_times == 0) totals->first_connect_ms = milliseconds;
    totals->connect_times += 1;
    totals->connect_ms += milliseconds;
    if (milliseconds > totals->longest_connect_ms) totals->longest_connect_ms = milliseconds;
}

static inline ref_span link_arrived(const ref_readings *readings)
{
    return (ref_span){
        .values = readings->samples + readings->excluded_zero + readings->excluded_no_reading
            + readings->excluded_not_credible + readings->excluded_no_contact
            + readings->excluded_paused + readings->excluded_copies,
        .rr_ticks = readings->span_ticks + readings->copy_ticks,
        .rr_ms = readings->span_ms,
    };
}

static inline void link_note_gap(const struct session_link *link, ref_link *totals, uint64_t now)
{
    if (link->was_up && now > link->ended_at && now - link->ended_at > totals->longest_gap_ms)
        totals->longest_gap_ms = now - link->ended_at;
}

static inline void link_begin(
    struct session_link *link, ref_link *totals, const ref_readings *readings, uint64_t now)
{
    if (link->is_up) return;
    link_note_gap(link, totals, now);
    totals->connects += 1;
    link->is_up = true;
    link->started_at = now;
    link->is_multiplied = false;
    link->factor = 1;
    link->before = link_arrived(readings);
}

static inline void link_note_copies(
    struct session_link *link, ref_link *totals, uint64_t since, uint64_t now, uint64_t factor)
{
    if (!link->is_up) return;
    if (!link->is_multiplied)
        link->multiplied_since = since > link->started_at ? since : link->started_at;
    link->is_multiplied = true;
    link->multiplied_until = now;
    if (factor > link->factor) link->factor = factor;
    if (factor > totals->delivery_factor) totals->delivery_factor = factor;
}

static inline void link_note_undivided(struct session_link *link, ref_link *totals)
{
    if (link->is_multiplied)
        totals->multiplied_ms += link->multiplied_until - link->multiplied_since;
    link->is_multiplied = false;
}

/* Ends the span that stands, if one does. */
static inline void link_end(
    struct session_link *link, ref_link *totals, const ref_readings *readings, uint64_t now,
    uint64_t session_started, enum link_end end)
{
    if (!link->is_up) return;
    link_note_undivided(link, totals);
    ref_span span = link_arrived(readings);
    span.values -= link->before.values;
    span.rr_ticks = span.rr_ticks > link->before.rr_ticks
        ? span.rr_ticks - link->before.rr_ticks : 0;
    span.rr_ms = span.rr_ms > link->before.rr_ms ? span.rr_ms - link->before.rr_ms : 0;
    span.start_ms = link->started_at - session_started;
    span.duration_ms = now - link->started_at;
    span.end = end;
    span.delivery_factor = link->factor;
    totals->up_ms += span.duration_ms;
    if (end < REF_DROPS) totals->drops[end] += 1;
    if (totals->span_count == REF_SPANS)
        memmove(totals->spans, totals->spans + 1, (REF_SPANS - 1) * sizeof span);
    else
        totals->span_count += 1;
    totals->spans[totals->span_count - 1] = span;
    link->is_up = false;
    link->was_up = true;
    link->ended_at = now;
}

#endif
