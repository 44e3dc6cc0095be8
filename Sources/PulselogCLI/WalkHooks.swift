internal import Events
internal import Files
internal import Interchange
internal import JSON
internal import Projections
internal import Recording
internal import Synchronization
internal import Terminal
internal import Text
internal import WalkService

/// The walker's own commands, which run when something happens to a walk that this process records.
///
/// Each gets the walk as JSON on its standard input: `{"on":"finish","session":{…}}`. None is
/// waited for.
struct WalkHooks {
    /// What a command is for; the keys below `[on]` in the configuration file.
    enum Occasion: String, CaseIterable {
        /// The walk begins.
        case start
        /// The walk is paused.
        case pause
        /// The walk has ended.
        case finish
        /// The walk has reached its goal.
        case goal
    }

    private static let limitSeconds = 30
    /// As many run at a time; more are left out, and that is said.
    private static let most = 8
    private static let running = Atomic(0)

    private let commands: [Occasion: String]
    private let say: @Sendable (String) -> Void
    /// The walk whose goal is known to be reached.
    private var reached: Position?
    private var hasBegun = false

    /// Makes hooks that nothing has happened to.
    ///
    /// - Parameters:
    ///   - commands: Lines for `sh`.
    ///   - say: Called with what fails, from any thread.
    init?(_ commands: [Occasion: String], say: @escaping @Sendable (String) -> Void) {
        guard !commands.isEmpty else { return nil }
        (self.commands, self.say) = (commands, say)
    }

    /// Runs the commands for walks that a page records, until the task is cancelled.
    static func follow(_ service: WalkService, _ commands: [Occasion: String]) async {
        guard var hooks = WalkHooks(commands, say: { Output.standardError.say($0) }) else { return }
        let feed = await service.views()
        for await _ in feed.wakes {
            if let scene = feed.take() { hooks.take(scene) }
        }
    }

    /// Runs what a scene is the occasion for.
    mutating func take(_ scene: Scene) {
        // A walk of another process is that one's.
        guard scene.phase != nil else { return }
        for (occasion, walk) in occasions(in: scene) {
            guard let command = commands[occasion],
                let report = scene.state.sessionReport(walk, at: scene.moment)
            else { continue }
            run(command, on: occasion, report)
        }
    }

    private func run(_ command: String, on occasion: Occasion, _ report: SessionReport) {
        let name = "The command of on.\(occasion.rawValue)"
        guard Self.running.add(1, ordering: .relaxed).newValue <= Self.most else {
            Self.running.subtract(1, ordering: .relaxed)
            return say("\(name) was left out: \(Self.most) run already.")
        }
        let walk = JSONWriter.line { json in
            json.field("on", occasion.rawValue)
            json.field("session", report)
        }
        do throws(SystemCallError) {
            let seconds = Self.limitSeconds
            try SideCommand.start(command, reading: walk, atMostSeconds: seconds) { [say] end in
                Self.running.subtract(1, ordering: .relaxed)
                switch end {
                case .done: break
                case .outOfTime: say("\(name) was ended: it took \(seconds) s.")
                case .failed(let code, let words):
                    let line = String(decoding: words.prefix { $0 != 0x0a }, as: UTF8.self)
                    let why = line.isEmpty ? "." : ": \(printable(line, limit: 120))"
                    say("\(name) failed with exit code \(code)\(why)")
                }
            }
        } catch {
            Self.running.subtract(1, ordering: .relaxed)
            say("\(name) could not be run: \(error)")
        }
    }

    private mutating func occasions(in scene: Scene) -> [(Occasion, Position)] {
        let sessions = scene.state.live.sessions
        // What was imported meanwhile happened on other walks.
        var occasions = scene.events.filter { $0.header.source == 0 }.compactMap { event in
            switch event.event {
            case .sessionStarted: (Occasion.start, event.header.position)
            case .sessionPaused: sessions.open.map { (Occasion.pause, $0.position) }
            case .sessionEnded: sessions.ended.last.map { (Occasion.finish, $0.position) }
            default: nil
            }
        }
        if let report = scene.report, report.isGoalReached, reached != report.position {
            reached = report.position
            // What was reached before this recorder began was told then.
            if hasBegun { occasions.append((.goal, report.position)) }
        }
        hasBegun = true
        return occasions
    }
}
