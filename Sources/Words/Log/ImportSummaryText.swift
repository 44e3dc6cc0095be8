package import Events
internal import Interchange
package import JSON
internal import Text

/// What became of many files that were imported in one go.
package struct ImportSummaryText: Answer, JSONObject {
    /// So many names of a kind are told.
    private static let namesLimit = 5

    /// Names of files, of which the first few are kept.
    package struct Names: Hashable, Sendable {
        /// How many there are.
        package private(set) var count: UInt64 = 0
        /// The first of them, with what is to be said.
        package private(set) var first: [String] = []

        /// Counts a file.
        package mutating func add(_ name: String) {
            count += 1
            if first.count < namesLimit { first.append(name) }
        }
    }

    /// How many sessions were recorded, or would be.
    package var walks: UInt64 = 0
    /// How many totals of days were news.
    package var days: UInt64 = 0
    /// The files that the log had already.
    package var known = Names()
    /// The walks that look like copies of sessions, by their files.
    package var copies = Names()
    /// What was left out because it was not on foot.
    package var sports: [Sport] = []
    /// The files that hold no walk.
    package var others = Names()
    /// The files of which nothing could be read, or only a part, and why.
    package var failed = Names()
    /// Whether nothing was recorded.
    package let isDry: Bool

    /// Begins with no file.
    ///
    /// - Parameter isDry: Whether nothing is recorded.
    package init(isDry: Bool) {
        self.isDry = isDry
    }

    /// Files of FIT that say what is to be, such as settings and courses.
    private var settings: UInt64 = 0
    /// How many files other programs keep walks in, by what they are and what to do.
    private var unread: [String: UInt64] = [:]
    /// What the folders and archives are, by what lies in them.
    private var layouts: [String] = []
    private static let layoutParts = [
        ("/activities.csv", "an archive of Strava"), ("/di_connect/", "a Garmin account's archive"),
        ("/garmin/activity/", "a Garmin watch"), ("/garmin/settings/", "a Garmin watch"),
        ("/opentracks/", "a folder of OpenTracks"),
    ]

    /// Looks at what a file is called.
    package mutating func see(_ name: String) {
        let path = "/" + name.lowercased()
        for (part, layout) in Self.layoutParts where path.contains(part) {
            if !layouts.contains(layout) { layouts.append(layout) }
        }
    }

    /// Counts a health store.
    package mutating func add(_ store: HealthImportText) {
        walks += store.walks
        days += UInt64(store.reportedCount)
        sports += store.sports
    }

    /// Counts a file that is no walk.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - kind: In what another program keeps walks, and what to do; nil for anything else.
    package mutating func passOver(_ name: String, as kind: String?) {
        if let kind { unread[kind, default: 0] += 1 } else { others.add(name) }
    }

    /// Whether there was nothing but what other programs keep walks in.
    package var isUnread: Bool {
        walks + days + known.count + copies.count == 0 && sports.isEmpty && !unread.isEmpty
    }

    /// Counts a file of walks.
    package mutating func add(_ file: WalkImportText) {
        days += UInt64(file.reportedDays)
        sports += file.sports
        for place in file.copies {
            copies.add("\(file.file)\(place.map { ": session \($0)" } ?? "")")
        }
        switch file.outcome {
        case .recorded, .possible: walks += UInt64(file.walks)
        case .known: known.add(file.file)
        case .leftOut: break
        case .nothing where file.days > 0 || file.damage != nil: break
        case .nothing: if file.format == .fit { settings += 1 } else { others.add(file.file) }
        }
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.object("summary") { json in
            json.field("walks", walks)
            json.field("days", days)
            json.field("known", known.count)
            json.field("likelyCopies", copies.count)
            json.field("notOnFoot", sports.count)
            json.field("noWalk", others.count + settings + unread.values.reduce(0, +))
            json.field("failed", failed.count)
            json.field("dryRun", isDry)
        }
    }

    /// Some lines.
    package var text: String {
        var text = "\(counted(walks, "walk")) \(isDry ? "would be imported" : "imported")"
        if days > 0 { text += ", \(counted(days, "new total")) of days" }
        text += layouts.isEmpty ? ".\n" : ", from \(layouts.joined(separator: ", ")).\n"
        text += lines("Already imported", known, isNamed: false)
        text += lines(
            "Likely copies of walks that are there, which --anyway imports", copies, "walk")
        if let sports = sports.sentence { text += sports + "\n" }
        text += lines("Without a walk", others)
        let plans = counted(settings, "FIT file")
        if settings > 0 { text += "\(plans) without a walk: settings, courses or plans.\n" }
        for (kind, count) in unread.sorted(by: { $0.key < $1.key }) {
            text += "Not read: \(counted(count, "file")), \(count == 1 ? "" : "each ")\(kind)\n"
        }
        text += lines("Not read, or only in part", failed)
        return text
    }

    private func lines(
        _ what: String, _ names: Names, _ thing: String = "file", isNamed: Bool = true
    ) -> String {
        guard names.count > 0 else { return "" }
        var text = "\(what): \(counted(names.count, thing))\(isNamed ? ":" : ".")\n"
        guard isNamed else { return text }
        for name in names.first { text += "  \(printable(name, limit: 300))\n" }
        let more = names.count - UInt64(names.first.count)
        return more == 0 ? text : text + "  and \(grouped(more)) more\n"
    }
}
