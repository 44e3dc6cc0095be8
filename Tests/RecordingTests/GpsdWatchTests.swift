import Clocks
import Events
import Foundation
import Projections
import Recording
import Sensors
import Synchronization
import TestSupport
import Testing

/// A watch against a server that plays gpsd, or something else, on this machine.
@Suite("A watched gpsd", .timeLimit(.minutes(5)))
struct GpsdWatchTests {
    private static let place = GpsdLines.Place(latitudeE7: 481_371_500, longitudeE7: 115_754_000)

    /// A round of what gpsd says of one second.
    private static func epoch(_ second: Int) -> String {
        GpsdLines.epoch("2026-03-01T09:00:\(second + 10)Z", at: place)
    }

    /// Says to a client what gpsd says before the first epoch.
    private static func greet(_ client: LoopbackConnection) {
        client.send(GpsdLines.version)
        #expect(client.receive() == "?WATCH={\"enable\":true,\"json\":true};\n")
        client.send(GpsdLines.watched + GpsdLines.empty)
    }

    /// A watch, and what it has told.
    private final class Watching: Sendable {
        let watch: GpsdWatch
        let inbox: Inbox
        private let task: Task<Void, Never>
        /// The pauses that it made.
        let pauses = Heard<Void>()

        init(
            port: UInt16, isAskedFor: Bool = true, inbox: Inbox = Inbox(),
            pause: Duration = .milliseconds(2),
            now: @escaping @Sendable () -> Arrival = Arrival.now
        ) {
            self.inbox = inbox
            let runtime = Runtime(
                now: now,
                sleep: { [pauses] _ in
                    pauses.append(())
                    try await Task.sleep(for: pause)
                }, executor: nil)
            let watch = GpsdWatch(port: port, isAskedFor: isAskedFor, on: runtime)
            self.watch = watch
            watch.want(SensorWish(positions: true))
            task = Task { [inbox] in await watch.run(into: inbox) }
        }

        func want(_ positions: Bool) {
            watch.want(SensorWish(positions: positions))
        }

        /// What was told, until that is enough.
        func told(until isEnough: ([Told]) -> Bool) async -> [Told] {
            var told: [Told] = []
            for await _ in inbox.wakes {
                told += inbox.take().elements.compactMap { arrived in Told(arrived.happening) }
                if isEnough(told) { break }
            }
            return told
        }

        /// What was told while so many pauses were made.
        func told(within pauses: Int) async -> [Told] {
            await self.pauses.wait(for: self.pauses.elements.count + pauses)
            return inbox.take().elements.compactMap { arrived in Told(arrived.happening) }
        }

        func end() async {
            task.cancel()
            await task.value
        }

        deinit { task.cancel() }
    }

    private enum Told: Equatable {
        case fix(Int64?)
        case satellites(UInt64?)
        case said(String)
        case leftOut(UInt64)

        init?(_ happening: Happening) {
            switch happening {
            case .read(.record(.positionFixed(let fix))):
                self = .fix(fix.fixedAtMilliseconds.map { ($0 - 1_772_355_610_000) / 1_000 })
            case .receptionTold(let satellites): self = .satellites(satellites)
            case .said(let sentence): self = .said(sentence)
            case .read(.record(.intakeOverflowed(let lost))): self = .leftOut(lost.lostEvents)
            default: return nil
            }
        }
    }

    @Test("tells its satellites, and a fix for each time")
    func fixes() async throws {
        let server = try LoopbackServer { client in
            Self.greet(client)
            for second in 0..<3 { client.send(Self.epoch(second)) }
            client.waitForEnd()
        }
        let watching = Watching(port: server.port)
        let told = await watching.told { $0.contains(.fix(2)) }
        // On a busy machine the satellites may be too old already.
        let satellites: [Told] = [.satellites(nil), .satellites(nil), .satellites(9)]
        #expect(told.prefix(6) == satellites + [.fix(0), .fix(1), .fix(2)])
        await watching.end()
    }

    @Test("that goes is told once, and is listened to again when it comes back")
    func comesBack() async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { client in
            count.withLock { $0 += 1 }
            let number = count.withLock(\.self)
            Self.greet(client)
            // The second and third time there is no fix; the first three times it ends.
            if number == 1 || number > 3 { client.send(Self.epoch(number)) }
            if number > 3 { client.waitForEnd() }
        }
        let watching = Watching(port: server.port, isAskedFor: false)
        let told = await watching.told { $0.contains(.fix(4)) }
        let name = "gpsd at 127.0.0.1:\(server.port)"
        #expect(
            told.filter { if case .satellites = $0 { false } else { true } } == [
                .fix(1),
                .said("\(name) is gone; there are no positions. Trying again every 10 seconds."),
                .said("\(name) sends positions again."), .fix(4),
            ])
    }

    @Test("that is not there is told once to who asked for it", arguments: [true, false])
    func absent(isAskedFor: Bool) async throws {
        // A port that was free could be given to the server of another test; nobody is given this.
        let port: UInt16 = 1
        let watching = Watching(port: port, isAskedFor: isAskedFor)
        let sentence =
            "gpsd at 127.0.0.1:\(port) cannot be reached: Connection refused. "
            + "Trying again every 10 seconds."
        #expect(await watching.told(within: 50) == (isAskedFor ? [.said(sentence)] : []))
    }

    @Test("that is something else is told once, and left", arguments: [true, false])
    func foreign(isAskedFor: Bool) async throws {
        let left = Heard<Void>()
        let server = try LoopbackServer { client in
            // A megabyte without a line end, twice as much with rubbish.
            let rubbish = String(repeating: "{\"class\":\"TPV\u{7F}\",}\n", count: 100_000)
            client.send(String(repeating: "x", count: 1 << 20) + rubbish)
            client.waitForEnd()
            left.append(())
        }
        let watching = Watching(port: server.port, isAskedFor: isAskedFor)
        await left.wait(for: 2)
        let sentence =
            "What answers at 127.0.0.1:\(server.port) is not gpsd. "
            + "Trying again every 10 seconds."
        #expect(await watching.told(within: 20) == (isAskedFor ? [.said(sentence)] : []))
    }

    @Test("that is silent is left after ten seconds")
    func silent() async throws {
        let server = try LoopbackServer { client in client.waitForEnd() }
        // Each look at the clock finds it eleven seconds later.
        let clock = Mutex<UInt64>(0)
        let watching = Watching(port: server.port) {
            clock.withLock { clock in
                clock += 11_000
                return Arrival(bootMilliseconds: clock, wallMilliseconds: 0)
            }
        }
        let told = await watching.told { !$0.isEmpty }
        guard case .said(let sentence)? = told.first else { throw ProgramError("\(told)") }
        #expect(sentence.contains("is not gpsd"))
    }

    @Test("fills the inbox no farther than there is room, whatever it tells")
    func flood() async throws {
        let server = try LoopbackServer { client in
            Self.greet(client)
            let sky = (0..<2).map { #"{"class":"SKY","uSat":\#($0)}"# + "\n" }.joined()
            client.send(String(repeating: GpsdLines.version + sky, count: 2_000))
            client.send(Self.epoch(0) + Self.epoch(1))
        }
        let watching = Watching(
            port: server.port, inbox: Inbox(capacity: 100), pause: .seconds(600))
        await watching.pauses.wait(for: 1)
        let (elements, lost) = watching.inbox.take()
        // Beside what there is room for: that it has gone, as two states and in words.
        #expect(elements.count == 103)
        #expect(lost == 3, "the fixes and the error of their heights are counted")
        await watching.end()
    }

    @Test("counts what it left out of a flood also when positions are no longer wanted")
    func unwantedFlood() async throws {
        let server = try LoopbackServer { client in
            Self.greet(client)
            let last = GpsdLines.epoch("2026-03-01T09:00:59Z", at: Self.place, satellites: 5)
            client.send((0..<49).map(Self.epoch).joined() + last)
            client.waitForEnd()
        }
        let watching = Watching(port: server.port)
        let early = await watching.told { $0.contains(.satellites(5)) }
        watching.want(false)
        let late = await watching.told { told in
            told.contains { if case .leftOut = $0 { true } else { false } }
        }
        var sum: UInt64 = 0
        for report in early + late {
            switch report {
            case .fix: sum += 1
            case .leftOut(let lost): sum += lost
            case .satellites, .said: break
            }
        }
        // The last one waited for the next epoch.
        #expect(sum == 49 || sum == 50, "\(early) \(late)")
    }

    @Test("without a receiver is told once to who asked for it")
    func withoutReceiver() async throws {
        let server = try LoopbackServer { client in
            client.send(GpsdLines.version + #"{"class":"DEVICES","devices":[]}"# + "\n")
            client.waitForEnd()
        }
        let watching = Watching(port: server.port)
        let sentence = "gpsd at 127.0.0.1:\(server.port) has no receiver yet."
        #expect(await watching.told { $0.count == 2 } == [.satellites(nil), .said(sentence)])
    }

    @Test("is left while no positions are wanted, and listened to at once when they are again")
    func unwanted() async throws {
        let count = Mutex(0)
        let left = Heard<Void>()
        let server = try LoopbackServer { client in
            count.withLock { $0 += 1 }
            Self.greet(client)
            client.send(Self.epoch(0) + Self.epoch(1))
            client.waitForEnd()
            left.append(())
        }
        let watching = Watching(port: server.port)
        #expect(await watching.told { $0.contains(.fix(0)) }.contains(.fix(0)))
        watching.want(false)
        await left.wait(for: 1)
        // The second fix may have been due before; that the receiver is not heard any more is last.
        #expect(await watching.told { $0.last == .satellites(nil) }.contains(.fix(0)) == false)
        // Whoever would try again has had the time to.
        try await Task.sleep(for: .milliseconds(200))
        #expect(count.withLock { $0 } == 1)
        watching.want(true)
        #expect(await watching.told { $0.contains(.fix(1)) }.contains(.fix(0)))
        #expect(count.withLock { $0 } == 2)
    }
}
