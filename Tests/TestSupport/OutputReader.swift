import Foundation

/// Reads what a program writes, on a thread of its own, until the program has ended.
struct OutputReader: Sendable {
    private struct Output {
        let descriptor: Int32
        let lines: AsyncStream<RunningProgram.Line>.Continuation
        var bytes: [UInt8] = []
        /// How many of the bytes were given as lines.
        var given = 0
        var isOpen = true
    }

    private let processID: pid_t
    private let outputs: [(Int32, AsyncStream<RunningProgram.Line>.Continuation)]
    private let deadline: UInt64

    /// Prepares the reading.
    ///
    /// - Parameters:
    ///   - processID: The program.
    ///   - outputs: The descriptors of its standard output and error, and who takes their lines.
    ///   - deadline: When the program is killed, on the boot clock in milliseconds.
    init(
        _ processID: pid_t, outputs: [(Int32, AsyncStream<RunningProgram.Line>.Continuation)],
        until deadline: UInt64
    ) {
        (self.processID, self.outputs, self.deadline) = (processID, outputs, deadline)
    }

    /// Reads until both outputs are closed, or the time is over, and takes the exit code.
    func read() -> RunningProgram.End {
        var outputs = outputs.map { Output(descriptor: $0, lines: $1) }
        var isKilled = false
        while outputs.contains(where: \.isOpen) {
            let now = RunningProgram.now()
            if now >= deadline, !isKilled {
                kill(processID, SIGKILL)
                isKilled = true
            }
            var polled = outputs.map {
                pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
            }
            // Who inherited the outputs of a killed program may hold them open: not for long.
            let patience = isKilled ? 1_000 : Int32(clamping: deadline - now)
            if poll(&polled, nfds_t(polled.count), patience) == 0, isKilled { break }
            for index in outputs.indices where polled[index].revents != 0 {
                Self.take(&outputs[index])
            }
        }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        for output in outputs {
            output.lines.finish()
            close(output.descriptor)
        }
        let signal = status & 0x7F
        return RunningProgram.End(
            status: signal == 0 ? status >> 8 & 0xFF : -signal, output: outputs[0].bytes,
            messages: String(decoding: outputs[1].bytes, as: UTF8.self))
    }

    /// Takes what there is to read, and gives away the lines that it ends.
    private static func take(_ output: inout Output) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        let count = Foundation.read(output.descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return }
        guard count > 0 else {
            output.isOpen = false
            return
        }
        let moment = RunningProgram.now()
        output.bytes += buffer[..<count]
        while let end = output.bytes[output.given...].firstIndex(of: UInt8(ascii: "\n")) {
            let text = String(decoding: output.bytes[output.given..<end], as: UTF8.self)
            output.lines.yield(RunningProgram.Line(text: text, bootMilliseconds: moment))
            output.given = end + 1
        }
    }
}
