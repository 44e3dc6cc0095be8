# shellcheck shell=bash
# Writes days of walks as JSON Lines, $count events: a day is a session of heart rate, steps and places, two
# events a second. With `dated` each day begins with its date and with the total of the day before; at the
# end comes a total of each day once more, as from an archive.
make_walks() { # days, dated
    # shellcheck disable=SC2154
    awk -v events="$count" -v days="$1" -v dated="${2:-}" 'BEGIN {
        srand(7); boot = 5000000; daily = int(events / days)
        wall = 1741000000000 - (dated == "" ? 0 : 86400000 * days)
        line("originBegan", "\"cause\":\"created\",\"checkpoint\":null")
        while (position < events) {
            if (position % daily == 1) {
                if (dated == "") boot += position > 1 ? 72000000 : 0
                else begin_day(today++)
                line("sessionStarted", "\"goalKind\":\"none\",\"goalTarget\":0,\"outAndBack\":false," \
                    "\"heightMillimetres\":null,\"weightGrams\":null,\"dailyGoalSteps\":null," \
                    "\"maximumHeartRateBPM\":null,\"restingHeartRateBPM\":null," \
                    "\"zones\":\"standard\",\"stepsPerCadenceCount\":1")
            } else if (position % daily == 0) line("sessionEnded", "\"reason\":\"requested\"")
            else walk()
        }
        if (dated != "") for (day = 0; day < today; day++) total(day)
    }
    function begin_day(day) {
        if (day > 0) total(day - 1)
        boot = 5000000 + 86400000 * day
        line("reconciliationTriggered", "\"trigger\":\"rollover\",\"healthTotal\":null," \
            "\"validUntilMilliseconds\":null,\"date\":" date(day) ",\"offsetMinutes\":0")
    }
    function date(day) {
        return strftime("\"%Y-%m-%d\"", int((wall + 5000000) / 1000) + 86400 * day, 1)
    }
    function total(day) {
        line("healthTotalObserved", "\"date\":" date(day) ",\"total\":" 4000 + int(9000 * rand()) \
            ",\"validUntilMilliseconds\":null,\"origin\":\"push/phone\"")
    }
    function line(kind, fields) {
        printf "{\"position\":%d,\"source\":0,\"bootMilliseconds\":%.0f,\"wallMilliseconds\":%.0f," \
            "\"bootNumber\":0,\"wallTrusted\":true,\"simulated\":false,\"kind\":\"%s\"," \
            "\"version\":1,%s}\n", position++, boot, wall + boot, kind, fields
    }
    function walk(   choice, value, count) {
        boot += 480 + int(40 * rand())
        choice = rand()
        if (choice < 0.70) {
            value = sprintf("16%02x", 90 + int(50 * rand()))
            for (count = 1 + int(3 * rand()); count > 0; count--)
                value = value sprintf("%02x02", int(180 * rand()))
            line("characteristicNotified", "\"device\":\"C4:00:00:00:00:01\"," \
                "\"characteristic\":\"heartRateMeasurement\",\"value\":\"" value "\"")
        } else if (choice < 0.96) {
            steps += int(4 * rand())
            line("pedometerRead", "\"device\":\"kernel/00:00:00:00:00:01\",\"form\":\"counter\"," \
                "\"count\":" steps ",\"distanceMillimetres\":" sprintf("%.0f", 700 * steps))
        } else line("positionFixed", "\"latitudeE7\":" 521000000 + int(9999 * rand()) \
            ",\"longitudeE7\":" 131000000 + int(9999 * rand()) ",\"altitudeMillimetres\":34000," \
            "\"accuracyMillimetres\":4000,\"speedMillimetresPerSecond\":1400,\"satellites\":9," \
            "\"fixedAtMilliseconds\":" sprintf("%.0f", wall + boot - 300))
    }'
}
