internal import ArgumentParser
internal import BlueZ
internal import BluetoothCentral
internal import Events
internal import Glibc
internal import JSON
internal import Synchronization
internal import Terminal
internal import Words

/// `pulselog scan`: what is in range.
struct Scan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Straps in range: name, address, signal.")

    @Option(help: "How long to listen, 1 to 600.")
    var seconds = 10

    @Flag(help: "Show pedometers as well as straps.")
    var all = false

    @Flag(help: "Show every device that is heard, with the services that it advertises.")
    var any = false

    @OptionGroup var common: CommonOptions

    func validate() throws { try refuse(seconds, of: "--seconds", outside: 1...600) }

    func run() async throws {
        let list = Mutex(ScanList(any ? .any : all ? .roles : .straps))
        let central = Central { report, _ in list.withLock { $0.hear(report) } }
        central.want(CentralDesire(scanning: list.withLock { $0.scan }))
        let task = Task { await central.run() }
        var drawn = DrawnLines()
        // A terminal that was stopped does not keep the radio scanning.
        let writer = StreamWriter(.standard) { _ in [] }
        let isDrawn = Output.standard.isTerminal && !common.json
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var left = end - clock.now
        while left > .zero {
            // The bus thread needs the list: a copy is told.
            if isDrawn, writer.isReady {
                let lines = list.withLock { $0 }.lines(
                    secondsLeft: left, in: Output.standard.size)
                writer.put(drawn.drawing(lines))
            }
            try await clock.sleep(for: isDrawn ? min(left, .milliseconds(500)) : left)
            left = end - clock.now
        }
        task.cancel()
        await task.value
        if isDrawn { await writer.finish(with: drawn.drawing([])) }
        try await write(result(list.withLock { $0 }), writer)
    }

    /// Writes the result, and waits for its reader, as a command does that only prints.
    private func write(_ bytes: [UInt8], _ writer: StreamWriter) async throws {
        var isWritten = await writer.finish(with: bytes)
        while !isWritten, writer.failure == nil { isWritten = await writer.finish() }
        if let failure = writer.failure, failure != EPIPE {
            throw CommandFailure(
                .inputOutput, "\(Output.failure(failure)) Make room, or write elsewhere.")
        }
    }

    /// What was heard, for people or scripts.
    private func result(_ list: ScanList) throws -> [UInt8] {
        let sightings = list.sightings
        guard list.adapter == .poweredOn || !sightings.isEmpty else {
            let reason =
                list.trouble
                ?? "No Bluetooth adapter was found in \(seconds) s; plug one in, or see "
                + "`pulselog doctor`."
            throw CommandFailure(
                list.adapter == .unauthorized ? .permission : .unavailable, reason)
        }
        try require(!sightings.isEmpty, .unavailable, list.silence)
        return common.json
            ? sightings.flatMap(\.jsonLine)
            : Array((list.lines.joined(separator: "\n") + "\n").utf8)
    }
}
