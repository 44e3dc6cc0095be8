/* The fold of a log, block by block; see CReference.h for what it can fold. */

#ifndef PULSELOG_FOLD_H
#define PULSELOG_FOLD_H

#include "CReference.h"
#include "delivery.h"
#include "link.h"
#include "readings.h"
#include "route.h"
#include "runs.h"

enum goal_kind { GOAL_NONE, GOAL_STEPS, GOAL_DISTANCE, GOAL_DURATION, GOAL_DAILY };

/* The session under way, beside its totals. */
struct open_session {
    ref_session totals;
    bool is_open;
    uint64_t started;
    uint64_t settled; /* the totals hold up to here */
    uint64_t paused_at;
    bool awaits_first_reading;
    bool has_distance; /* a reading of the stream told one */

    unsigned goal;
    bool out_and_back;
    uint64_t target;
    uint64_t progress; /* of a goal in steps or distance */
    bool has_height;
    uint64_t height_mm;

    struct readings readings;
    bool is_on_trial; /* what may be copies is not in trial, but in readings */
    struct readings trial;
    struct session_link link;
    struct route route;
};

/* The strap's connection. */
struct strap_link {
    uint64_t device;
    bool is_up;
    bool was_lost;
    bool has_value;
    bool is_without_pulse;
    uint64_t lost_at;
    uint64_t value_at;
    bool knows_connect_ms;
    uint64_t connect_ms;
    struct delivery delivery;
};

enum next_reading { READING_DIFFERENCE, READING_RESTART_ONLY };

struct pedometer {
    uint64_t device;
    bool has_count;
    bool has_distance;
    bool gave_distance; /* the last reading did */
    enum next_reading next;
    uint64_t count;
    uint64_t distance;
    uint64_t read_at;
    uint64_t covered; /* of the next reading: what a total has brought already */
};

struct fold {
    ref_totals *totals;
    size_t session_room;
    size_t day_room;
    bool has_boot;
    uint32_t boot_number;
    uint64_t now;
    int64_t zone_minutes;
    struct strap_link strap;
    struct pedometer pedometer;
    struct open_session session;
    struct runs runs; /* room for what is read ahead */
};

/* Begins a fold into totals that are all zero. */
void fold_begin(struct fold *fold, ref_totals *totals);

/* Folds the events of a block. */
int fold_block(struct fold *fold, const uint8_t *block, size_t size);

/* Folds an event that was read elsewhere. */
int fold_single(struct fold *fold, const struct block_event *event);

/* Ends a fold: adds the session that is open. */
int fold_end(struct fold *fold);

#endif
