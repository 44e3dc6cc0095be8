/* What the readings of a session add up to, and the same without what may be copies. */

#ifndef PULSELOG_READINGS_H
#define PULSELOG_READINGS_H

#include "CReference.h"
#include "reader.h"
#include "runs.h"

#include <string.h>

/* The last sample of each heart rate that can still support a maximum, within so many ms. */
enum { SUPPORT_KEPT = 48, SUPPORT_MS = 5000, SUPPORT_BPM = 10 };

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

    unsigned highest; /* of those that are kept; 0 if there are none */
    unsigned kept_count;
    struct sample kept[SUPPORT_KEPT];
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

static inline void compare_samples(struct readings *readings, struct sample sample)
{
    ref_readings *totals = &readings->totals;
    for (unsigned index = 0; index < readings->kept_count; index++) {
        struct sample other = readings->kept[index];
        bool other_is_higher = other.bpm >= sample.bpm;
        unsigned high = other_is_higher ? other.bpm : sample.bpm;
        unsigned low = other_is_higher ? sample.bpm : other.bpm;
        if (high <= totals->supported_bpm || high - low > SUPPORT_BPM
            || sample.at > other.at + SUPPORT_MS)
            continue;
        totals->supported_bpm = high;
        totals->supported_position = other_is_higher ? other.position : sample.position;
    }
}

/* Keeps a sample, and forgets those that no later one can need next to it. */
static inline void keep_sample(struct readings *readings, struct sample sample)
{
    unsigned kept = 0;
    readings->highest = sample.bpm;
    for (unsigned index = 0; index < readings->kept_count; index++) {
        struct sample other = readings->kept[index];
        if (other.bpm == sample.bpm || sample.at > other.at + SUPPORT_MS
            || other.bpm + SUPPORT_BPM <= readings->totals.supported_bpm)
            continue;
        readings->kept[kept++] = other;
        if (other.bpm > readings->highest) readings->highest = other.bpm;
    }
    if (kept == SUPPORT_KEPT)
        memmove(readings->kept, readings->kept + 1, --kept * sizeof(struct sample));
    readings->kept[kept++] = sample;
    readings->kept_count = kept;
}

/* Keeps a sample, and compares it with those before if one is higher than what is supported. */
static inline __attribute__((noinline)) void support(
    struct readings *readings, struct sample sample)
{
    unsigned highest = readings->highest > sample.bpm ? readings->highest : sample.bpm;
    if (highest > readings->totals.supported_bpm) compare_samples(readings, sample);
    keep_sample(readings, sample);
}

/*
 * Takes samples that follow each other and of which none is higher than what is supported: none
 * can support another, and the last ones that matter are kept. False if each has to be looked at.
 */
static inline bool support_none(
    struct readings *readings, const int32_t *rates, unsigned count, unsigned highest,
    const struct plain *entries)
{
    unsigned supported = (unsigned)readings->totals.supported_bpm;
    if (highest > supported || readings->highest > supported) return false;
    int32_t least = (int32_t)supported - SUPPORT_BPM;
    unsigned last = count;
    while (last > 0 && rates[last - 1] <= least) last -= 1;
    unsigned first = last;
    while (first > 0 && entries[last - 1].boot <= entries[first - 1].boot + SUPPORT_MS) first -= 1;
    for (unsigned index = first; index < last; index++)
        if (rates[index] > least)
            keep_sample(
                readings,
                (struct sample){
                    entries[index].boot, entries[index].position, (unsigned)rates[index]});
    return true;
}

/* A sum of some ten thousand numbers of 32 bits, in two halves that a vector adds. */
struct halves {
    uint32_t low;
    uint32_t high;
};

FORCE_INLINE void add_half(struct halves *halves, uint32_t number)
{
    halves->low += number & 0xFFFF;
    halves->high += number >> 16;
}

FORCE_INLINE uint64_t sum_of(const struct halves *halves)
{
    return halves->low + ((uint64_t)halves->high << 16);
}

/* Sums over some thousand beats at most, without a branch: how a heart beats is not foretold. */
struct beat_sums {
    uint32_t count;
    uint32_t sum;
    uint32_t differences;
    uint32_t over_50_ms;
    struct halves squared;
    struct halves squared_differences;
};

FORCE_INLINE void add_beat(struct beat_sums *sums, uint32_t ticks, uint32_t is_taken)
{
    uint32_t mask = 0 - is_taken;
    sums->count += is_taken;
    sums->sum += ticks & mask;
    add_half(&sums->squared, ticks * ticks & mask);
}

FORCE_INLINE void add_difference(struct beat_sums *sums, uint32_t difference, uint32_t is_taken)
{
    uint32_t mask = 0 - is_taken;
    sums->differences += is_taken;
    add_half(&sums->squared_differences, difference * difference & mask);
    sums->over_50_ms += (difference >= 52) & is_taken; /* 51.2 ticks */
}

FORCE_INLINE void add_sums(ref_rr_sums *sums, const struct beat_sums *beats)
{
    sums->count += beats->count;
    sums->sum += beats->sum;
    sums->sum_squared += sum_of(&beats->squared);
    sums->differences += beats->differences;
    sums->sum_squared_differences += sum_of(&beats->squared_differences);
    sums->differences_over_50_ms += beats->over_50_ms;
}

FORCE_INLINE uint32_t is_plausible(uint16_t ticks)
{
    return (uint16_t)(ticks - 308) <= 2048 - 308; /* 300 to 2,000 ms */
}

FORCE_INLINE uint32_t difference_of(uint16_t ticks, uint16_t before)
{
    return ticks > before ? ticks - before : before - ticks;
}

FORCE_INLINE uint32_t passes_after(uint16_t ticks, uint16_t before)
{
    return is_plausible(ticks) & (difference_of(ticks, before) * 5 <= before);
}

FORCE_INLINE void take_interval(struct readings *readings, uint16_t ticks)
{
    struct beat_sums raw = {0}, filtered = {0};
    uint32_t passes = is_plausible(ticks);
    add_beat(&raw, ticks, 1);
    if (LIKELY(readings->has_beat)) {
        uint32_t difference = difference_of(ticks, readings->beat);
        passes = passes_after(ticks, readings->beat);
        add_difference(&raw, difference, 1);
        add_difference(&filtered, difference, passes & readings->beat_passed);
    }
    add_beat(&filtered, ticks, passes);
    add_sums(&readings->totals.raw, &raw);
    add_sums(&readings->totals.filtered, &filtered);
    readings->has_beat = true;
    readings->beat = ticks;
    readings->beat_passed = passes;
}

/* Adjacent beats: the same, in a loop in which no beat waits for the one before. */
static inline uint64_t take_beats(struct readings *readings, const uint16_t *beats, size_t count)
{
    uint64_t ticks = 0;
    for (size_t index = 0; index < count && index < 2; index++) {
        take_interval(readings, beats[index]);
        ticks += beats[index];
    }
    if (count <= 2) return ticks;
    struct beat_sums raw = {0}, filtered = {0};
    for (size_t index = 2; index < count; index++) {
        uint16_t beat = beats[index], before = beats[index - 1];
        uint32_t difference = difference_of(beat, before);
        uint32_t passes = passes_after(beat, before);
        uint32_t passed = passes_after(before, beats[index - 2]);
        add_beat(&raw, beat, 1);
        add_difference(&raw, difference, 1);
        add_beat(&filtered, beat, passes);
        add_difference(&filtered, difference, passes & passed);
    }
    add_sums(&readings->totals.raw, &raw);
    add_sums(&readings->totals.filtered, &filtered);
    readings->beat = beats[count - 1];
    readings->beat_passed = passes_after(beats[count - 1], beats[count - 2]);
    return ticks + raw.sum;
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

/* Takes the heart rate of a reading; false if it does not count, and its intervals neither. */
FORCE_INLINE bool take_rate(
    struct readings *readings, unsigned bpm, unsigned control, bool is_paused, uint64_t now,
    uint64_t position)
{
    ref_readings *totals = &readings->totals;
    bool is_off_skin = (control >> 3 & 3) == CONTACT_NOT_DETECTED;
    if (UNLIKELY(is_paused || is_off_skin || !is_heart_rate(bpm, control))) {
        readings->weighing = NO_BPM;
        if (is_paused)
            totals->excluded_paused += 1;
        else if (is_off_skin)
            totals->excluded_no_contact += 1;
        else if (bpm == NO_BPM)
            totals->excluded_zero += 1;
        else if (bpm == (control & 0x20 ? 65535 : 255))
            totals->excluded_no_reading += 1;
        else
            totals->excluded_not_credible += 1;
        return false;
    }
    if (UNLIKELY(totals->samples == 0 || bpm < totals->minimum_bpm)) totals->minimum_bpm = bpm;
    if (UNLIKELY(bpm > totals->maximum_bpm)) {
        totals->maximum_bpm = bpm;
        totals->maximum_position = position;
    }
    totals->samples += 1;
    totals->sum_bpm += bpm;
    readings->weighing = bpm;
    if (bpm + SUPPORT_BPM > totals->supported_bpm) support(readings, (struct sample){now, position, bpm});
    return true;
}

FORCE_INLINE void take_reading(
    struct readings *readings, const struct heart_value *value, bool is_paused, uint64_t now,
    uint64_t position)
{
    if (UNLIKELY(!take_rate(readings, value->bpm, value->control, is_paused, now, position)))
        end_intervals(readings);
    else if (LIKELY(value->interval_count > 0))
        take_intervals(readings, value, now);
    else
        break_adjacency(readings);
}

#endif
