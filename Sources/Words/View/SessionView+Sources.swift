internal import Events
internal import JSON
internal import Projections
internal import Text

/// What a walk's figures are made of: where its energy comes from, and what was heard.
extension SessionView {
    func writeSources(to json: inout JSONWriter) {
        let note = "Worked out in different ways, never mixed. The figure above is the first."
        let lone =
            session.isCounted
            ? nil : "Nothing counted your steps, so lists and sums use this one, and say so."
        let sources = [
            ("Energy", energies, energies.count > 1 ? note : lone), ("Heard from", heard, nil),
        ]
        json.list("sources", sources.filter { !$0.1.isEmpty }) { json, source in
            json.field("name", source.0)
            json.field("note", source.2)
            json.list("rows", source.1) { json, row in
                for (key, text) in zip(Self.keys, row) { json.field(key, text) }
            }
        }
    }

    /// What a row has: where the log tells of it, or a strap whose values can be left out.
    private static let keys = ["name", "value", "note", "log", "device", "words", "leave"]

    private var fresh: String { TimeText.duration(session.accounting.freshMilliseconds) }

    private var energies: [[String]] {
        let weight = session.isWeightAssumed ? "\(units.weight(70_000)), assumed" : "your weight"
        let each = decimal(hundredths: Session.caloriesPerStep / 10)
        let bySteps = "\(counted(session.steps, "step")) at \(each) kcal, scaled to \(weight)."
        let byHeart =
            "Keytel 2005, by your weight, age and sex, over \(fresh) with a heart rate. It "
            + "includes what a body uses at rest."
        return [
            session.knownEnergyCalories.map { ["From steps", kilocalories($0), bySteps] },
            session.heartRateEnergyCalories.map { ["From heart rate", kilocalories($0), byHeart] },
        ].compactMap(\.self)
    }

    private var heard: [[String]] {
        let devices = series.state[session.provenance]?.devices
        func title(_ id: DeviceID) -> String {
            devices?[id].map { DeviceTitle($0).description } ?? "\(id)"
        }
        var rows = session.straps.map { strap in
            let values = counted(strap.samples, "value") + (strap.isExcluded ? ", left out" : "")
            let row = ["Heart rate", title(strap.device), values, ""]
            guard session.provenance == series.state.own.provenance else { return row }
            let change =
                strap.isExcluded
                ? ["Take its values in again", ""] : ["Not yours? Leave its values out", "yes"]
            return row + ["\(strap.device)"] + change
        }
        let active = session.activeMilliseconds
        if !rows.isEmpty, active > 0 {
            let share = UInt128(session.accounting.freshMilliseconds) * 100 / UInt128(active)
            rows.append(["Measured", "\(fresh) of \(TimeText.duration(active))", "\(share) %"])
        }
        if let steps = session.knownSteps, let counter = devices?.primary(.pedometer) {
            rows.append(["Steps", title(counter), counted(steps, "step")])
        }
        let errors = series.points.compactMap(\.accuracyMillimetres).sorted()
        if session.route.fixes > 0, !errors.isEmpty {
            let fixes = counted(session.route.fixes, "fix", "es")
            let error = units.climb(errors[errors.count / 2])
            let known = "half of the \(grouped(UInt64(errors.count))) with an error within \(error)"
            rows.append(["Position", fixes, known])
        }
        let log = "From position \(grouped(session.position)) on"
        return rows + [["Log", log, "", "\(session.position)"]]
    }
}
