package import Deciding
package import EventStore
package import Recording

/// Where walks are recorded: a log, and who else is at it.
package protocol WalkStore: Sendable {
    /// The log.
    var walks: any EventLog { get }
    /// Where the log's snapshot may be; nil for nowhere.
    var savedWalks: (any SnapshotStore)? { get }
    /// Whether a recorder runs on the log, of this process or another.
    var isRecorderAlive: Bool { get }
    /// The process that records, or prepares a walk, in words; nil if there isn't one.
    var recorderHolder: String? { get }
    /// Whether another process asks for a recorder that records nothing to leave.
    var isRecorderRequested: Bool { get }
    /// Who keeps this process from appending, once that has lasted for seconds; else nil.
    var awaitedWriter: String? { get }
    /// What the store tells of itself.
    var figures: StoreFigures { get }
    /// Takes the lock of the one recorder.
    ///
    /// - Returns: What releases it; nil if another process has it.
    /// - Throws: ``WalkRefusal`` if it cannot be made.
    func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)?
    /// Seals what the log holds, and signs it.
    ///
    /// - Returns: The sentence that says why it could not.
    func seal(_ appender: Appender) async -> String?
}

extension WalkStore {
    /// Some stores are of one process only.
    package var recorderHolder: String? { nil }
    /// There, nobody asks.
    package var isRecorderRequested: Bool { false }
    /// A store in memory has nothing to watch over.
    package var figures: StoreFigures { StoreFigures() }
}

/// A recorder's plan, and what senses for it.
package struct Equipment: Sendable {
    let plan: SessionPlan
    let sensors: [any Sensor]

    /// Joins the two.
    ///
    /// - Parameters:
    ///   - plan: What the walker wants.
    ///   - sensors: Where the happenings come from.
    package init(_ plan: SessionPlan, _ sensors: [any Sensor]) {
        (self.plan, self.sensors) = (plan, sensors)
    }
}
