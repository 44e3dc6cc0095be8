internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
package import Fleet
internal import FleetClient
internal import Terminal
internal import Text
internal import Words

/// Sends the walker's log, and goes on as long as it grows.
struct Forward: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forward",
        abstract: "Sends your log to a study's cluster, as it grows.",
        discussion: """
            It only reads the log: recording never waits for it. What the cluster has already is \
            asked of the cluster, so it can be stopped and started at any time.
            """)

    @OptionGroup var options: ClusterOptions

    @Option(name: .customLong("as"), help: ArgumentHelp("Who you are there.", valueName: "person"))
    var person: String

    @Option(
        help: ArgumentHelp(
            "Send only steps and days, or all but positions; the rest never leaves the machine.",
            valueName: "steps|no-position"))
    var only: Sharing = .everything

    @Option(help: ArgumentHelp("Folder of the store.", valueName: "dir"))
    var store: String?

    @Flag(help: "End when the cluster has all there is.")
    var once = false

    func run() async throws {
        let log = try openLog()
        defer { log.close() }
        guard let name = FleetLog(person: person, id: hexadecimal(log.id)) else {
            throw CommandFailure(
                .usage, "“\(person)” is no name: 1 to 64 letters, digits, “-” and “_”.")
        }
        let credentials = try options.credentials()
        var (forwarder, complaint): (Forwarder?, String?) = (nil, nil)
        var (isCaughtUp, wait) = (false, Duration.milliseconds(500))
        while true {
            do {
                if forwarder == nil {
                    let cluster = try JetStreamCluster(
                        to: credentials, as: "pulselog-fleet \(person)")
                    forwarder = Forwarder(of: log, as: name, to: cluster, sharing: only)
                }
                let step = try await forwarder?.step()
                if complaint != nil { say("The cluster answers again.") }
                (complaint, wait) = (nil, .milliseconds(500))
                // A server that is behind may have told an older last message.
                if step == .overtaken { await pause(.milliseconds(200)) }
                guard case .idle(let next) = step else { continue }
                if !isCaughtUp {
                    tell("The cluster has all \(grouped(next)) events of log \(name.id).")
                }
                isCaughtUp = true
                if once { return }
                await somethingNew(in: log, at: next)
            } catch let error as ForwardingError {
                guard case .cluster(let failure) = error else {
                    throw CommandFailure(.badData, error.description)
                }
                isCaughtUp = false
                // A new connection says whether that is so.
                if failure.code == .shutOut {
                    forwarder = nil
                    await pause(wait)
                    continue
                }
                guard failure.code == .lost, !once else { throw failure }
                await complain(failure, &complaint, &wait)
            } catch let error as ClusterError where error.code == .lost && !once {
                await complain(error, &complaint, &wait)
            }
        }
    }

    /// Says once what is wrong, and waits before the next try.
    private func complain(
        _ error: ClusterError, _ complaint: inout String?, _ wait: inout Duration
    ) async {
        if complaint != error.description {
            say(error.description + " Trying again; what is recorded meanwhile is sent later.")
        }
        complaint = error.description
        await pause(wait)
        wait = min(wait * 2, .seconds(30))
    }

    /// Waits for an event, and now and then for a checkpoint, which is none.
    private func somethingNew(in log: LMDBEventLog, at next: Position) async {
        await withTaskGroup { group in
            group.addTask {
                do {
                    try await log.waitForEvent(at: next)
                } catch {
                    // The next step says why the log cannot be read.
                    await pause(.seconds(1))
                }
            }
            group.addTask { await pause(.seconds(5)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func openLog() throws -> LMDBEventLog {
        let data = environment("XDG_DATA_HOME") ?? (environment("HOME") ?? "") + "/.local/share"
        let usual = environment("PULSELOG_STORE") ?? data + "/pulselog"
        do throws(EventLogError) {
            return try LMDBEventLog.open(directory: store ?? usual, mode: .readOnly)
        } catch {
            throw CommandFailure(.noInput, "\(error) Or name the store with --store.")
        }
    }
}

extension Sharing: ExpressibleByArgument {}
