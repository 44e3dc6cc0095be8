/* What the readings of a session add up to, and the same without what may be copies. */

#ifndef PULSELOG_READINGS_H
#define PULSELOG_READINGS_H

#include "CReference.h"
#include "reader.h"

/* The last samples that can still support a maximum. */
enum { SUPPORT_RING = 16 };

enum { CONTACT_NOT_DETECTED = 2 };
enum { NO_BPM = 0 };

struct sample {
    uint64_t at;
    uint64_t position;
    unsigned bpm;
};

struct readings {
    ref_readings totals;
    unsigned weighing; /* the BPM that weighs fresh time; 0 for none */

    bool has_beat; /* a beat before to which the next is adjacent */
    bool beat_passed;
    bool has_span; /* a notification before in the same span of intervals, at span_at */
    unsigned beat;
    uint64_t span_at;
    uint64_t last_span_ticks; /* what the last reading added to the span's ticks */

    unsigned ring_count;
    unsigned ring_oldest;
    struct sample ring[SUPPORT_RING];
};

FORCE_INLINE void weigh(struct readings *readings, uint64_t milliseconds)
{
    unsigned bpm = readings->weighing;
    if (bpm == NO_BPM || milliseconds == 0) return;
    ref_readings *totals = &readings->totals;
    totals->weighted_sum += milliseconds * bpm;
    totals->weighted_ms += milliseconds;
    totals->zone_ms[(bpm >= 100) + (bpm >= 140) + (bpm >= 180)] += milliseconds;
}

/* Compares a sample with those before and keeps it. Called for samples that can matter only. */
static inline __attribute__((noinline)) void support(
    struct readings *readings, struct sample sample)
{
    ref_readings *totals = &readings->totals;
    for (unsigned index = 0; index < readings->ring_count; index++) {
        struct sample other = readings->ring[index];
        bool other_is_higher = other.bpm >= sample.bpm;
        unsigned high = other_is_higher ? other.bpm : sample.bpm;
        unsigned low = other_is_higher ? sample.bpm : other.bpm;
        if (high <= totals->supported_bpm || high - low > 10
            || sample.at > other.at + 5000)
            continue;
        totals->supported_bpm = high;
        totals->supported_position = other_is_higher ? other.position : sample.position;
    }
    if (readings->ring_count < SUPPORT_RING) {
        readings->ring[readings->ring_count++] = sample;
    } else {
        readings->ring[readings->ring_oldest] = sample;
        readings->ring_oldest = (readings->ring_oldest + 1) % SUPPORT_RING;
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

FORCE_INLINE void take_interval(struct readings *readings, unsigned ticks)
{
    ref_readings *totals = &readings->totals;
    add_beat(&totals->raw, ticks);
    bool passes = ticks >= 308 && ticks <= 2048; /* 300 to 2,000 ms */
    if (LIKELY(readings->has_beat)) {
        unsigned before = readings->beat;
        unsigned difference = ticks > before ? ticks - before : before - ticks;
        add_difference(&totals->raw, difference);
        passes = passes && difference * 5 <= before;
        if (passes && readings->beat_passed) add_difference(&totals->filtered, difference);
    }
    if (passes) add_beat(&totals->filtered, ticks);
    readings->has_beat = true;
    readings->beat = ticks;
    readings->beat_passed = passes;
}

/* The beats of a notification, in which there is one at least. */
FORCE_INLINE void take_intervals(
    struct readings *readings, const struct heart_value *value, uint64_t now)
{
    uint64_t ticks = 0;
    for (size_t index = 0; index < value->interval_count; index++) {
        take_interval(readings, value->intervals[index]);
        ticks += value->intervals[index];
    }
    if (LIKELY(readings->has_span)) {
        readings->totals.span_ticks += ticks;
        readings->totals.span_ms += now - readings->span_at;
        readings->last_span_ticks = ticks;
    }
    readings->has_span = true;
    readings->span_at = now;
}

FORCE_INLINE void break_adjacency(struct readings *readings)
{
    readings->has_beat = false;
    readings->last_span_ticks = 0;
}

/* A link loss, a pause, or a reading that does not count. */
FORCE_INLINE void end_intervals(struct readings *readings)
{
    break_adjacency(readings);
    readings->has_span = false;
}

FORCE_INLINE void take_copy(struct readings *readings)
{
    readings->totals.copy_ticks += readings->last_span_ticks;
    readings->totals.excluded_copies += 1;
}

FORCE_INLINE void take_reading(
    struct readings *readings, const struct heart_value *value, bool is_paused, uint64_t now,
    uint64_t position)
{
    ref_readings *totals = &readings->totals;
    unsigned bpm = value->bpm;
    bool is_off_skin = value_contact(value) == CONTACT_NOT_DETECTED;
    if (UNLIKELY(is_paused || is_off_skin || bpm == NO_BPM)) {
        end_intervals(readings);
        readings->weighing = NO_BPM;
        if (is_paused)
            totals->excluded_paused += 1;
        else if (is_off_skin)
            totals->excluded_no_contact += 1;
        else
            totals->excluded_zero += 1;
        return;
    }
    if (UNLIKELY(totals->samples == 0 || bpm < totals->minimum_bpm)) totals->minimum_bpm = bpm;
    if (UNLIKELY(bpm > totals->maximum_bpm)) {
        totals->maximum_bpm = bpm;
        totals->maximum_position = position;
    }
    totals->samples += 1;
    totals->sum_bpm += bpm;
    readings->weighing = bpm;
    if (bpm + 10 > totals->supported_bpm) support(readings, (struct sample){now, position, bpm});
    if (LIKELY(value->interval_count > 0))
        take_intervals(readings, value, now);
    else
        break_adjacency(readings);
}

#endif
