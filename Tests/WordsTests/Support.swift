import BluetoothCentral
import Events
import Foundation
import JSON
import Projections
import TestSupport
import Testing

/// What a page gets of a value.
func object(_ value: some JSONWritable) throws -> [String: Any] {
    try object(JSONWriter.line(value))
}

/// A line of JSON, read as an object.
func object(_ line: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
}

/// The report of an adapter that is in another state.
func adapter(_ state: AdapterState, _ cause: AdapterCause = .unknown) -> CentralReport {
    .adapterStateChanged(AdapterChange(state, cause))
}

/// The calendar of days with these totals, which arrived later.
func calendar(
    _ totals: [(date: CivilDate, steps: UInt64)], goal: UInt64?, today: CivilDate
) throws -> Projections.Calendar {
    var state = LogState()
    let profile = Event.profileChanged(Profile(dailyGoalSteps: goal))
    let observed = totals.map { date, steps in
        Event.healthTotalObserved(HealthTotalObserved(date: date, total: steps))
    }
    for event in [profile] + observed {
        let stamp = Stamp(bootMilliseconds: state.next, wallMilliseconds: 0, bootNumber: 0)
        try state.evolve(RecordedEvent(event, at: state.next, stamp))
    }
    return state.calendar(today: today)
}

extension Story {
    /// Walks 120 steps and 75 m a minute, with a rise of 6 m if heights are wanted.
    mutating func walk(minutes: UInt64, withHeights: Bool) throws {
        let pedometer = DeviceID(address: 1, space: .kernel)
        for step in 0...minutes * 6 {
            try add(.counted(pedometer, step * 20, distance: step * 12_500))
            if withHeights {
                let fix = PositionFixed(
                    latitudeE7: 480_000_000 + Int64(step) * 1_123, longitudeE7: 100_000_000,
                    altitudeMillimetres: 40_000 + Int64(step) * 1_000)
                try add(.positionFixed(fix))
            }
            now += 10_000
        }
    }

    /// The report of the session that the log begins with, and what it is made of.
    func walked() throws -> (report: SessionReport, series: SessionSeries) {
        var series = SessionSeries(of: 0, .walked, after: LogState())
        for event in events { try event.withView { series.evolve($0) } }
        return (try #require(state.sessionReport(0, at: moment)), series)
    }
}
