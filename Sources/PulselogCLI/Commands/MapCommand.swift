internal import ArgumentParser
internal import Events
internal import JSON
internal import Projections
internal import Sensors
internal import Stores
internal import Terminal
internal import Web
internal import Words

/// `pulselog map`.
struct MapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Say where a map for the page comes from, or check files of one.",
        discussion: """
            Nothing is downloaded. A file shows a walk if there is a picture wherever it went, at \
            the zoom at which the page begins to show it.
            """)
    @Argument(help: "MBTiles files of pictures: PNG, JPEG or WebP.")
    var files: [String] = []
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard !files.isEmpty else {
            return common.write(MapGuide.lines.map { $0 + "\n" }.joined()) {
                $0.array("lines", MapGuide.lines)
            }
        }
        let walks = try walks()
        var failure: CommandFailure?
        for path in files {
            do {
                common.write(MapReport(of: walks, in: try MapFile(checking: path)))
            } catch {
                if let failure { Output.standardError.say(failure.message) }
                failure = CommandFailure(error)
            }
        }
        if let failure { throw failure }
    }

    /// The walks with a route, the latest first; none without a log.
    private func walks() throws -> [MapReport.Walk] {
        do {
            let store = try common.open(.reading)
            let state = try store.state()
            let outlines = try store.outlines(of: state)
            return state.sessionReports(at: state.lastMoment)
                .filter { $0.isSummed && $0.state == .ended }
                .sorted { $0.startedAtMilliseconds > $1.startedAtMilliseconds }
                .compactMap { walk in
                    outlines[walk.position]?.track.map { (walk.date, $0.placesE7) }
                }
        } catch let failure as CommandFailure where failure.exitCode == .noInput {
            return []
        }
    }
}

extension MapFile {
    /// Looks into a file; why it cannot be opened is said as of any other file.
    ///
    /// - Throws: ``CommandFailure``, or `FileError`.
    init(checking path: String) throws {
        _ = try FilePlace(path).open()
        try self.init(reading: path)
    }
}
