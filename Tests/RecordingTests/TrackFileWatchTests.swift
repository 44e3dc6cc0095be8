import Clocks
import Events
import Foundation
import Projections
import Recording
import Sensors
import Synchronization
import TestSupport
import Testing

@Suite("A watched track", .timeLimit(.minutes(5)))
struct TrackFileWatchTests {
    private static let head = "<gpx><trk><trkseg>"
    private static let end = "</trkseg></trk></gpx>"

    /// A point of so many seconds after 09:00 UTC on 2026-03-01.
    private static func point(_ second: Int) -> String {
        let minutes = String(format: "%02d:%02d", second / 60, second % 60)
        return #"<trkpt lat="48.1" lon="11.5"><time>2026-03-01T09:\#(minutes)Z</time></trkpt>"#
    }

    /// A watch of a file of its own, with a clock that is set by hand.
    private final class Watching: Sendable {
        let path: String
        private let watch: TrackFileWatch
        private let directory: TemporaryDirectory
        private let inbox = Inbox()
        private let pauses = Heard<Void>()
        private let clock: Clock
        private let task: Task<Void, Never>

        /// Begins to watch so many seconds after 09:00, and then writes the file, if any.
        init(at second: Int, _ text: String? = nil) throws {
            directory = try TemporaryDirectory()
            path = directory.path + "/track.gpx"
            let clock = Clock(Self.nine + Int64(second) * 1_000)
            self.clock = clock
            let runtime = Runtime(
                now: {
                    Arrival(
                        bootMilliseconds: 0, wallMilliseconds: clock.wall.withLock { $0 })
                },
                sleep: { [pauses] _ in
                    // A pause that is counted comes after a look that is done.
                    repeat {
                        try await Task.sleep(for: .milliseconds(1))
                    } while clock.watch.withLock { $0?.isLooking == true }
                    pauses.append(())
                }, executor: nil)
            let watch = TrackFileWatch(path: path, on: runtime)
            self.watch = watch
            clock.watch.withLock { $0 = watch }
            watch.want(SensorWish(positions: true))
            task = Task { [inbox] in await watch.run(into: inbox) }
            if let text { try write(text) }
        }

        private final class Clock: Sendable {
            let wall: Mutex<Int64>
            let watch = Mutex<TrackFileWatch?>(nil)

            init(_ wall: Int64) {
                self.wall = Mutex(wall)
            }
        }

        static let nine: Int64 = 1_772_355_600_000

        func set(_ second: Int) {
            clock.wall.withLock { $0 = Self.nine + Int64(second) * 1_000 }
        }

        func want(_ positions: Bool) {
            watch.want(SensorWish(positions: positions))
        }

        func write(_ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        }

        func append(_ text: String) throws {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        }

        /// The seconds of the fixes and the sentences of some looks.
        struct Told: Equatable {
            var fixes: [Int64] = []
            var sentences: [String] = []
        }

        /// What is told within some looks.
        func told(within looks: Int = 30) async -> Told {
            await pauses.wait(for: pauses.elements.count + looks)
            var told = Told()
            for arrived in inbox.take().elements {
                switch arrived.happening {
                case .read(.record(.positionFixed(let fix))):
                    told.fixes.append(((fix.fixedAtMilliseconds ?? 0) - Self.nine) / 1_000)
                case .said(let sentence): told.sentences.append(sentence)
                default: break
                }
            }
            return told
        }

        /// What is told at the end, after some more looks, of which the last comes to its end.
        func lastWord() async -> String? {
            _ = await told()
            task.cancel()
            await task.value
            while watch.isLooking { try? await Task.sleep(for: .milliseconds(1)) }
            return watch.lastWord()
        }

        deinit { task.cancel() }
    }

    @Test("tells the points that are later than its beginning, each once, as they are appended")
    func appended() async throws {
        let watching = try Watching(at: 10, Self.head + (8...12).map(Self.point).joined())
        #expect(await watching.told().fixes == [11, 12])
        let next = Self.point(13)
        try watching.append(String(next.prefix(40)))
        #expect(await watching.told().fixes == [])
        try watching.append(next.dropFirst(40) + Self.point(14))
        #expect(await watching.told().fixes == [13, 14])
        try watching.append(Self.end)
        #expect(await watching.told() == .init())
    }

    @Test("is read anew when a logger writes it anew, and no point is told twice")
    func rewritten() async throws {
        let watching = try Watching(at: 0, Self.head + Self.point(1) + Self.end)
        #expect(await watching.told().fixes == [1])
        // In its place, and into the same file over its own end.
        try watching.write(Self.head + Self.point(1) + Self.point(2) + Self.end)
        #expect(await watching.told().fixes == [2])
        let file = try FileHandle(forUpdating: URL(filePath: watching.path))
        let whole = Self.head + Self.point(1) + Self.point(2)
        try file.seek(toOffset: UInt64(whole.utf8.count))
        try file.write(contentsOf: Data((Self.point(3) + Self.end).utf8))
        try file.close()
        #expect(await watching.told() == .init(fixes: [3]))
    }

    @Test("tells nothing of a pause")
    func pause() async throws {
        let watching = try Watching(at: 0, Self.head + Self.point(1))
        #expect(await watching.told().fixes == [1])
        watching.want(false)
        try watching.append(Self.point(2))
        #expect(await watching.told().fixes == [])
        watching.set(3)
        watching.want(true)
        try watching.append(Self.point(3) + Self.point(4))
        #expect(await watching.told().fixes == [4])
    }

    @Test("waits for a clock that was never set")
    func clock() async throws {
        let watching = try Watching(at: -1_772_355_600, Self.head + Self.point(1))
        #expect(await watching.told().fixes == [])
        watching.set(0)
        #expect(await watching.told().fixes == [1])
    }

    @Test("says once what is wrong, and goes on when it is right")
    func wrong() async throws {
        let watching = try Watching(at: 0)
        var sentences = await watching.told().sentences
        #expect(sentences.count == 1)
        #expect(sentences.first?.contains("cannot be read yet: No such file") == true)
        try watching.write("<HealthData/>")
        sentences = await watching.told().sentences
        #expect(sentences.count == 1)
        #expect(sentences.first?.contains("not a GPX file") == true)
        try watching.write(Self.head + Self.point(1) + "</b>")
        let told = await watching.told()
        #expect(told.fixes == [1] && told.sentences.count == 1)
        #expect(told.sentences.first?.contains("malformed in line 1") == true)
        try watching.write(Self.head + Self.point(1) + Self.point(2))
        #expect(await watching.told() == .init(fixes: [2]))
    }

    @Test("that gets points of the past only is told, once")
    func past() async throws {
        let watching = try Watching(at: 60, Self.head + Self.point(1))
        // It may have been looked for before it was written.
        let first = await watching.told().sentences
        #expect(first.allSatisfy { $0.contains("cannot be read yet: No such file") })
        try watching.append(Self.point(2))
        let sentences = await watching.told().sentences
        #expect(sentences.count == 1)
        #expect(
            sentences.first?.contains(
                "2 points are left out, 2 before this recording (up to 2026-03-01T09:00:02.000Z). "
                    + "Compare the clocks.") == true)
        try watching.append(Self.point(3))
        #expect(await watching.told().sentences.isEmpty)
        try watching.append(Self.point(61))
        #expect(await watching.told().fixes == [61])
    }

    /// A point with a time as it is written.
    private static func point(timed time: String) -> String {
        #"<trkpt lat="48.1" lon="11.5">\#(time)</trkpt>"#
    }

    @Test("says in one sentence which points do not count, by reason")
    func leftOut() async throws {
        let watching = try Watching(at: 10)
        let nowhere = Self.point(12).replacingOccurrences(of: "48.1", with: "148.1")
        let text = [
            Self.point(9), Self.point(11), Self.point(timed: ""), Self.point(timed: "<time/>"),
            Self.point(timed: "<time>noon</time>"), nowhere, Self.point(900),
            Self.point(timed: "<fix>none</fix>"),
        ]
        try watching.write(Self.head + text.joined() + Self.end)
        let told = await watching.told()
        #expect(told.fixes == [11])
        let expected = """
            \(watching.path): 7 points are left out, 2 without a time, 1 with a time that cannot \
            be read, 1 before this recording (up to 2026-03-01T09:00:09.000Z), 1 more than 5 \
            minutes ahead of this clock (up to 2026-03-01T09:15:00.000Z), 1 at no place on Earth, \
            1 without a fix. Compare the clocks.
            """
        #expect(told.sentences.filter { !$0.contains("cannot be read yet") } == [expected])
    }

    @Test("that is of the past and gets no other points is told, once")
    func idle() async throws {
        let watching = try Watching(at: 60, Self.head + Self.point(1) + Self.end)
        let sentences = await watching.told(within: 150).sentences
        #expect(sentences.last?.contains("1 point is left out, 1 before this recording") == true)
        #expect(await watching.told(within: 150).sentences.isEmpty)
    }

    @Test("leaves out the first points that are ahead, for good, and counts the later ones")
    func firstAhead() async throws {
        let watching = try Watching(at: 0)
        let ahead = [421, 422, 423].map(Self.point).joined()
        try watching.write(Self.head + ahead + Self.end)
        let told = await watching.told()
        #expect(told.fixes.isEmpty)
        #expect(told.sentences.last?.contains("3 points are left out, 3 more than 5") == true)
        for second in 4...6 {
            watching.set(second)
            let text = (4...second).map(Self.point).joined()
            try watching.write(Self.head + ahead + text + Self.end)
            #expect(await watching.told() == .init(fixes: [Int64(second)]))
        }
        watching.set(500)
        // A look that began before may still go by the old time.
        #expect(await watching.told().fixes.isEmpty)
        try watching.write(Self.head + ahead + Self.point(499) + Self.end)
        #expect(await watching.told() == .init(fixes: [499]))
    }

    @Test("tells points that are a little ahead, which hide no other, and each once")
    func littleAhead() async throws {
        let watching = try Watching(at: 0, Self.head + Self.point(200) + Self.point(1))
        #expect(await watching.told().fixes == [200, 1])
        try watching.write(Self.head + Self.point(200) + Self.point(1) + Self.point(2) + Self.end)
        #expect(await watching.told() == .init(fixes: [2]))
    }

    @Test("says at the end how many points are left out in all, also a few of the past")
    func lastCount() async throws {
        let watching = try Watching(at: 10, Self.head + Self.point(900))
        #expect(await watching.told().sentences.last?.contains("1 point is left out") == true)
        try watching.append(Self.point(901) + Self.point(11) + Self.end)
        #expect(await watching.told() == .init(fixes: [11]))
        let word = await watching.lastWord()
        #expect(word?.contains("2 points are left out, 2 more than 5 minutes ahead") == true)

        let past = try Watching(at: 60, Self.head + Self.point(1) + Self.point(2) + Self.end)
        #expect(await past.lastWord()?.contains("2 points are left out, 2 before") == true)
    }

    static let ends: [(String, String?)] = [
        (head + point(1) + end, nil),
        (head + point(1), "has no end"),
        (head + point(1) + point(2).prefix(40), "has no end"),
        (head + point(1) + end + head + point(2), "has no end"),
        (head + end, "has no track points"),
        ("<gpx><rte><rtept lat='1' lon='1'/></rte></gpx>", "has no track points"),
        ("", "has no track points"),
        (head + point(1) + end + "<kml/>", nil),
    ]

    @Test("says at the end what nobody else says of a file that did not grow", arguments: ends)
    func lastWord(_ text: String, _ expected: String?) async throws {
        let watching = try Watching(at: 0, text)
        let word = await watching.lastWord()
        #expect(word?.contains(expected ?? "") == (expected.map { _ in true }), "\(word ?? "")")
    }

    @Test("says nothing at the end of a logger that is at work")
    func atWork() async throws {
        let watching = try Watching(at: 0, Self.head + Self.point(1))
        #expect(await watching.told().fixes == [1])
        try watching.append(Self.point(2) + Self.point(3).prefix(30))
        #expect(await watching.told().fixes == [2])
        #expect(await watching.lastWord() == nil)
    }

    @Test(
        "counts up to a damage, and says what is damaged", arguments: ["<junk/>", "</gpx>", "x "])
    func damaged(_ tail: String) async throws {
        let watching = try Watching(
            at: 0, Self.head + Self.point(1) + Self.point(2) + Self.end + tail)
        let told = await watching.told()
        #expect(told.fixes == [1, 2])
        let sentence = told.sentences.last
        #expect(sentence?.contains("What follows the end of its track") == true)
        #expect(sentence?.hasSuffix(". The points before that are kept.") == true)
    }
}
