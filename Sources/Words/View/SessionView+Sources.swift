internal import Events
internal import JSON
internal import Projections
internal import Text

/// What a walk's figures are made of: where its energy comes from, and what was heard.
extension SessionView {
    func writeSources(to json: inout JSONWriter) {
        let note = "Worked out in different ways, never mixed. The figure above is the first."
        let lone = session.isCounted ? nil : Self.lone
        let sources = [
            ("Energy", energies, energies.count > 1 ? note : lone), ("Heard from", heard, nil),
        ]
        json.list("sources", sources.filter { !$0.1.isEmpty }) { json, source in
            json.field("name", source.0)
            json.field("note", source.2)
            json.list("rows", source.1) { json, row in
                json.field("name", row.name)
                json.field("value", row.value)
                json.field("note", row.note)
                json.field("position", row.position)
                guard let strap = row.strap, session.provenance == series.state.own.provenance
                else { return }
                json.field("device", "\(strap.device)")
                json.field("excluded", !strap.isExcluded)
                let leave = "Not yours? Leave its values out"
                json.field("change", strap.isExcluded ? "Take its values in again" : leave)
            }
        }
    }

    private static let lone =
        "Nothing counted your steps, so lists and sums use this one, and say so."

    /// What a figure comes of: what can be opened in the log, or left out.
    private struct Row {
        let name, value, note: String
        var position: Position?
        var strap: SessionReport.Strap?

        init(_ name: String, _ value: String, _ note: String) {
            (self.name, self.value, self.note) = (name, value, note)
        }
    }

    private var fresh: String { TimeText.duration(session.accounting.freshMilliseconds) }

    private var energies: [Row] {
        let weight = session.isWeightAssumed ? "\(units.weight(70_000)), assumed" : "your weight"
        let each = decimal(hundredths: Session.caloriesPerStep / 10)
        let bySteps = "\(counted(session.steps, "step")) at \(each) kcal, scaled to \(weight)."
        let byHeart =
            "Keytel 2005, by your weight, age and sex, over \(fresh) with a heart rate. It "
            + "includes what a body uses at rest."
        return [
            session.knownEnergyCalories.map { Row("From steps", kilocalories($0), bySteps) },
            session.heartRateEnergyCalories.map {
                Row("From heart rate", kilocalories($0), byHeart)
            },
        ].compactMap(\.self)
    }

    private var heard: [Row] {
        let devices = series.state[session.provenance]?.devices
        func title(_ id: DeviceID) -> String {
            devices?[id].map { DeviceTitle($0).description } ?? "\(id)"
        }
        var rows = session.straps.map { strap in
            let values = counted(strap.samples, "value") + (strap.isExcluded ? ", left out" : "")
            var row = Row("Heart rate", title(strap.device), values)
            row.strap = strap
            return row
        }
        let active = session.activeMilliseconds
        if !rows.isEmpty, active > 0 {
            let share = UInt128(session.accounting.freshMilliseconds) * 100 / UInt128(active)
            rows.append(Row("Measured", "\(fresh) of \(TimeText.duration(active))", "\(share) %"))
        }
        if let steps = session.knownSteps, let counter = devices?.primary(.pedometer) {
            rows.append(Row("Steps", title(counter), counted(steps, "step")))
        }
        let errors = series.points.compactMap(\.accuracyMillimetres).sorted()
        if session.route.fixes > 0, !errors.isEmpty {
            let fixes = counted(session.route.fixes, "fix", "es")
            let error = units.climb(errors[errors.count / 2])
            let known = "half of the \(grouped(UInt64(errors.count))) with an error within \(error)"
            rows.append(Row("Position", fixes, known))
        }
        var log = Row("Log", "From position \(grouped(session.position)) on", "")
        log.position = session.position
        return rows + [log]
    }
}
