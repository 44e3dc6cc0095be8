internal import Events
internal import Files
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
    private let storeDirectory: String
    private let say: @Sendable (String) -> Void
    /// The walk that is under way, or was last.
    private var walk: Position?

    /// Makes hooks that nothing has happened to.
    ///
    /// - Parameters:
    ///   - commands: Lines for `sh`.
    ///   - storeDirectory: The store, for the commands.
    ///   - say: Called with what fails, from any thread; must not wait.
    init?(
        _ commands: [Occasion: String], in storeDirectory: String,
        say: @escaping @Sendable (String) -> Void
    ) {
        guard !commands.isEmpty else { return nil }
        (self.commands, self.storeDirectory, self.say) = (commands, storeDirectory, say)
    }

    /// Runs the commands for walks that a page records, and tells a broker of them, until the task
    /// is cancelled.
    static func follow(
        _ service: WalkService, _ commands: [Occasion: String], in storeDirectory: String
    ) async {
        let sentences = StreamWriter.sentences()
        var hooks = WalkHooks(commands, in: storeDirectory, say: { sentences.say($0) })
        let publisher = WalkPublisher(service) { sentences.say($0) }
        guard hooks != nil || publisher != nil else { return }
        let feed = await service.views()
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            hooks?.take(scene)
            publisher?.take(scene)
        }
        await publisher?.settle()
        await sentences.finish()
    }

    /// Waits until no command runs, two seconds at most.
    static func settle() async {
        for _ in 0..<40 where running.load(ordering: .acquiring) > 0 {
            do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
        }
    }

    /// Runs what a scene is the occasion for.
    mutating func take(_ scene: Scene) {
        walk = walk ?? scene.session
        // What was imported meanwhile happened on other walks.
        for event in scene.events where event.header.source == 0 {
            if case .sessionStarted = event.event { walk = event.header.position }
            // A walk that another process records is that one's.
            guard scene.phase != nil, let occasion = Occasion(event.event),
                let command = commands[occasion],
                let report = walk.flatMap({ scene.state.sessionReport($0, at: scene.moment) })
            else { continue }
            run(command, on: occasion, report, by: scene.startedBy)
        }
    }

    private func run(_ line: String, on occasion: Occasion, _ report: SessionReport, by: String?) {
        let name = "The command of on.\(occasion.rawValue)"
        guard Self.running.add(1, ordering: .relaxed).newValue <= Self.most else {
            Self.running.subtract(1, ordering: .relaxed)
            return say("\(name) was left out: \(Self.most) are already running.")
        }
        let walk = JSONWriter.line { json in
            json.field("on", occasion.rawValue)
            json.field("session", report)
        }
        let variables = [
            "PULSELOG_STORE": storeDirectory, "PULSELOG_SESSION": "\(report.position)",
            "PULSELOG_STARTED_BY": printable(by ?? ""),
        ]
        do throws(SystemCallError) {
            try SideCommand.start(
                line, with: variables, reading: walk, atMostSeconds: Self.limitSeconds
            ) { [say] failure in
                if let (what, words) = failure {
                    let line = String(decoding: words.prefix { $0 != 0x0a }, as: UTF8.self)
                    let why = line.isEmpty ? "." : ": \(printable(line, limit: 120))"
                    say("\(name) \(what)\(why)")
                }
                Self.running.subtract(1, ordering: .releasing)
            }
        } catch {
            Self.running.subtract(1, ordering: .relaxed)
            say("\(name) could not be run: \(error)")
        }
    }
}

extension WalkHooks.Occasion {
    /// What an event is the occasion for; nil for nothing.
    fileprivate init?(_ event: Event) {
        switch event {
        case .sessionStarted: self = .start
        case .sessionPaused, .standstillBegan: self = .pause
        case .sessionEnded: self = .finish
        case .goalReached: self = .goal
        default: return nil
        }
    }
}
