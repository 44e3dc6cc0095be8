package import JSON
internal import Events
internal import Text

/// What became of another machine's log that was imported.
package struct OtherLogText: Answer, JSONObject {
    private let file: String
    private let machine: String
    /// The source of its walks; nil if the log has none of them as such.
    package var source: UInt32?
    /// How many walks came.
    package var walks: UInt64 = 0
    /// How many walks the log had already.
    package var knownWalks: UInt64 = 0
    /// Whether one was not over.
    package var hasOpenWalk = false
    /// How many events were left out because they are simulated, or because the other log has
    /// imported them itself.
    package var leftOut: (simulated: UInt64, imported: UInt64) = (0, 0)
    /// What became of the totals of its days.
    package var days: HealthImportText

    /// Tells an import.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - machine: What the machine is called.
    ///   - days: What became of the totals of its days.
    package init(file: String, machine: String, days: HealthImportText) {
        (self.file, self.machine, self.days) = (file, machine, days)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("machine", machine)
        json.field("source", source)
        json.field("walks", walks)
        json.field("knownWalks", knownWalks)
        json.field("openWalk", hasOpenWalk)
        json.field("simulatedEvents", leftOut.simulated)
        json.field("importedEvents", leftOut.imported)
        days.writeFields(to: &json)
    }

    /// Some lines.
    package var text: String {
        let name = Reporter(.anotherLog, named: machine).words
        var text = "\(printable(file)): \(counted(walks, "new walk")) of \(name)"
        if walks > 0, let source { text += ", as import \(source)" }
        text += "; \(grouped(knownWalks)) known already.\n"
        if hasOpenWalk { text += "One is not over: it comes with the next import.\n" }
        for (count, what) in [
            (leftOut.simulated, "made up"), (leftOut.imported, "imported by that machine itself"),
        ] where count > 0 {
            text += "Left out: \(counted(count, "event")) \(what).\n"
        }
        return text + days.text
    }
}
