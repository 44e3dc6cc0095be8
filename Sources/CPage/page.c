/*
 * The files of the web page, embedded (C23, 6.10.4).
 *
 * A file that is not named here is not served; a test compares the table with the folder.
 */

#include "page.h"

/* The package's C is older than `#embed`, which this compiler knows all the same. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "site/api.js"
};
static const unsigned char app_js[] = {
#embed "site/app.js"
};
static const unsigned char arc_js[] = {
#embed "site/arc.js"
};
static const unsigned char bell_js[] = {
#embed "site/bell.js"
};
static const unsigned char chart_js[] = {
#embed "site/chart.js"
};
static const unsigned char css_after_css[] = {
#embed "site/css/after.css"
};
static const unsigned char css_base_css[] = {
#embed "site/css/base.css"
};
static const unsigned char css_components_css[] = {
#embed "site/css/components.css"
};
static const unsigned char css_day_css[] = {
#embed "site/css/day.css"
};
static const unsigned char css_devices_css[] = {
#embed "site/css/devices.css"
};
static const unsigned char css_figures_css[] = {
#embed "site/css/figures.css"
};
static const unsigned char css_find_css[] = {
#embed "site/css/find.css"
};
static const unsigned char css_history_css[] = {
#embed "site/css/history.css"
};
static const unsigned char css_large_css[] = {
#embed "site/css/large.css"
};
static const unsigned char css_live_css[] = {
#embed "site/css/live.css"
};
static const unsigned char css_log_css[] = {
#embed "site/css/log.css"
};
static const unsigned char css_pair_css[] = {
#embed "site/css/pair.css"
};
static const unsigned char css_picture_css[] = {
#embed "site/css/picture.css"
};
static const unsigned char css_profile_css[] = {
#embed "site/css/profile.css"
};
static const unsigned char css_set_up_css[] = {
#embed "site/css/set-up.css"
};
static const unsigned char css_tokens_css[] = {
#embed "site/css/tokens.css"
};
static const unsigned char css_trends_css[] = {
#embed "site/css/trends.css"
};
static const unsigned char css_walks_css[] = {
#embed "site/css/walks.css"
};
static const unsigned char css_year_css[] = {
#embed "site/css/year.css"
};
static const unsigned char cursor_js[] = {
#embed "site/cursor.js"
};
static const unsigned char dom_js[] = {
#embed "site/dom.js"
};
static const unsigned char heart_chart_js[] = {
#embed "site/heart-chart.js"
};
static const unsigned char icons_js[] = {
#embed "site/icons.js"
};
static const unsigned char icons_svg[] = {
#embed "site/icons.svg"
};
static const unsigned char index_html[] = {
#embed "site/index.html"
};
static const unsigned char lanes_js[] = {
#embed "site/lanes.js"
};
static const unsigned char lease_js[] = {
#embed "site/lease.js"
};
static const unsigned char map_js[] = {
#embed "site/map.js"
};
static const unsigned char mark_svg[] = {
#embed "site/mark.svg"
};
static const unsigned char pair_html[] = {
#embed "site/pair.html"
};
static const unsigned char pair_js[] = {
#embed "site/pair.js"
};
static const unsigned char paper_js[] = {
#embed "site/paper.js"
};
static const unsigned char parts_js[] = {
#embed "site/parts.js"
};
static const unsigned char screens_after_js[] = {
#embed "site/screens/after.js"
};
static const unsigned char screens_comparison_js[] = {
#embed "site/screens/comparison.js"
};
static const unsigned char screens_day_js[] = {
#embed "site/screens/day.js"
};
static const unsigned char screens_devices_js[] = {
#embed "site/screens/devices.js"
};
static const unsigned char screens_find_js[] = {
#embed "site/screens/find.js"
};
static const unsigned char screens_goal_js[] = {
#embed "site/screens/goal.js"
};
static const unsigned char screens_history_js[] = {
#embed "site/screens/history.js"
};
static const unsigned char screens_large_js[] = {
#embed "site/screens/large.js"
};
static const unsigned char screens_live_js[] = {
#embed "site/screens/live.js"
};
static const unsigned char screens_log_js[] = {
#embed "site/screens/log.js"
};
static const unsigned char screens_phones_js[] = {
#embed "site/screens/phones.js"
};
static const unsigned char screens_picture_js[] = {
#embed "site/screens/picture.js"
};
static const unsigned char screens_place_js[] = {
#embed "site/screens/place.js"
};
static const unsigned char screens_profile_js[] = {
#embed "site/screens/profile.js"
};
static const unsigned char screens_pulse_js[] = {
#embed "site/screens/pulse.js"
};
static const unsigned char screens_records_js[] = {
#embed "site/screens/records.js"
};
static const unsigned char screens_route_js[] = {
#embed "site/screens/route.js"
};
static const unsigned char screens_setup_js[] = {
#embed "site/screens/setup.js"
};
static const unsigned char screens_splits_js[] = {
#embed "site/screens/splits.js"
};
static const unsigned char screens_trends_js[] = {
#embed "site/screens/trends.js"
};
static const unsigned char screens_walk_head_js[] = {
#embed "site/screens/walk-head.js"
};
static const unsigned char screens_walk_menu_js[] = {
#embed "site/screens/walk-menu.js"
};
static const unsigned char screens_year_js[] = {
#embed "site/screens/year.js"
};
static const unsigned char screens_years_js[] = {
#embed "site/screens/years.js"
};
static const unsigned char screens_zones_js[] = {
#embed "site/screens/zones.js"
};
static const unsigned char settings_js[] = {
#embed "site/settings.js"
};
static const unsigned char speaker_js[] = {
#embed "site/speaker.js"
};
static const unsigned char store_js[] = {
#embed "site/store.js"
};
static const unsigned char style_css[] = {
#embed "site/style.css"
};
static const unsigned char tiles_js[] = {
#embed "site/tiles.js"
};
static const unsigned char wake_js[] = {
#embed "site/wake.js"
};
static const unsigned char words_js[] = {
#embed "site/words.js"
};

#define PAGE_FILE(path, bytes) { "/" path, bytes, sizeof bytes }

static const struct page_file page_files[] = {
    PAGE_FILE("api.js", api_js),
    PAGE_FILE("app.js", app_js),
    PAGE_FILE("arc.js", arc_js),
    PAGE_FILE("bell.js", bell_js),
    PAGE_FILE("chart.js", chart_js),
    PAGE_FILE("css/after.css", css_after_css),
    PAGE_FILE("css/base.css", css_base_css),
    PAGE_FILE("css/components.css", css_components_css),
    PAGE_FILE("css/day.css", css_day_css),
    PAGE_FILE("css/devices.css", css_devices_css),
    PAGE_FILE("css/figures.css", css_figures_css),
    PAGE_FILE("css/find.css", css_find_css),
    PAGE_FILE("css/history.css", css_history_css),
    PAGE_FILE("css/large.css", css_large_css),
    PAGE_FILE("css/live.css", css_live_css),
    PAGE_FILE("css/log.css", css_log_css),
    PAGE_FILE("css/pair.css", css_pair_css),
    PAGE_FILE("css/picture.css", css_picture_css),
    PAGE_FILE("css/profile.css", css_profile_css),
    PAGE_FILE("css/set-up.css", css_set_up_css),
    PAGE_FILE("css/tokens.css", css_tokens_css),
    PAGE_FILE("css/trends.css", css_trends_css),
    PAGE_FILE("css/walks.css", css_walks_css),
    PAGE_FILE("css/year.css", css_year_css),
    PAGE_FILE("cursor.js", cursor_js),
    PAGE_FILE("dom.js", dom_js),
    PAGE_FILE("heart-chart.js", heart_chart_js),
    PAGE_FILE("icons.js", icons_js),
    PAGE_FILE("icons.svg", icons_svg),
    PAGE_FILE("index.html", index_html),
    PAGE_FILE("lanes.js", lanes_js),
    PAGE_FILE("lease.js", lease_js),
    PAGE_FILE("map.js", map_js),
    PAGE_FILE("mark.svg", mark_svg),
    PAGE_FILE("pair.html", pair_html),
    PAGE_FILE("pair.js", pair_js),
    PAGE_FILE("paper.js", paper_js),
    PAGE_FILE("parts.js", parts_js),
    PAGE_FILE("screens/after.js", screens_after_js),
    PAGE_FILE("screens/comparison.js", screens_comparison_js),
    PAGE_FILE("screens/day.js", screens_day_js),
    PAGE_FILE("screens/devices.js", screens_devices_js),
    PAGE_FILE("screens/find.js", screens_find_js),
    PAGE_FILE("screens/goal.js", screens_goal_js),
    PAGE_FILE("screens/history.js", screens_history_js),
    PAGE_FILE("screens/large.js", screens_large_js),
    PAGE_FILE("screens/live.js", screens_live_js),
    PAGE_FILE("screens/log.js", screens_log_js),
    PAGE_FILE("screens/phones.js", screens_phones_js),
    PAGE_FILE("screens/picture.js", screens_picture_js),
    PAGE_FILE("screens/place.js", screens_place_js),
    PAGE_FILE("screens/profile.js", screens_profile_js),
    PAGE_FILE("screens/pulse.js", screens_pulse_js),
    PAGE_FILE("screens/records.js", screens_records_js),
    PAGE_FILE("screens/route.js", screens_route_js),
    PAGE_FILE("screens/setup.js", screens_setup_js),
    PAGE_FILE("screens/splits.js", screens_splits_js),
    PAGE_FILE("screens/trends.js", screens_trends_js),
    PAGE_FILE("screens/walk-head.js", screens_walk_head_js),
    PAGE_FILE("screens/walk-menu.js", screens_walk_menu_js),
    PAGE_FILE("screens/year.js", screens_year_js),
    PAGE_FILE("screens/years.js", screens_years_js),
    PAGE_FILE("screens/zones.js", screens_zones_js),
    PAGE_FILE("settings.js", settings_js),
    PAGE_FILE("speaker.js", speaker_js),
    PAGE_FILE("store.js", store_js),
    PAGE_FILE("style.css", style_css),
    PAGE_FILE("tiles.js", tiles_js),
    PAGE_FILE("wake.js", wake_js),
    PAGE_FILE("words.js", words_js),
};

const struct page_file *page_file_at(size_t index)
{
    size_t count = sizeof page_files / sizeof page_files[0];
    return index < count ? &page_files[index] : NULL;
}
