internal import Glibc
internal import Terminal
internal import Text

/// Asks how to continue after an event: Enter for the next one, a number for that many, `q` to end.
///
/// From a script it goes on by the lines that are read, and ends at the end of the input.
struct StepPrompt {
    /// The most bytes of an answer.
    private static let limitBytes = 4_096

    private let stop: StopRequest
    private let isAsked = isatty(STDIN_FILENO) == 1 && Output.standardError.isTerminal
    private var input: [UInt8] = []
    /// How many events are still to be shown without asking.
    private var left: UInt64 = 1

    /// Shows the first event without asking.
    ///
    /// - Parameter stop: Ends the waiting as well.
    init(orUntil stop: StopRequest) {
        self.stop = stop
    }

    /// Waits until the next event is wanted.
    ///
    /// - Returns: Whether one is; else the replay ends.
    mutating func goesOn() -> Bool {
        while left == 0 {
            if isAsked { Output.standardError.write("Enter, a number, or q: ") }
            guard let line = nextLine() else {
                // What follows begins a line of its own.
                if isAsked { Output.standardError.write("\n") }
                return false
            }
            switch line {
            case "": left = 1
            case "q", "quit": return false
            default:
                if let count = UInt64(line), count > 0 {
                    left = count
                } else {
                    Output.standardError.say(
                        "\(printable(line)) is not an answer. Enter shows the next event, a number "
                            + "that many, and q ends.")
                }
            }
        }
        left -= 1
        return true
    }

    /// A line without the blanks around it; nil at the end of the input or on a signal.
    private mutating func nextLine() -> String? {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                let words = String(decoding: input[..<end], as: UTF8.self)
                    .split(whereSeparator: \.isWhitespace)
                input.removeFirst(end + 1)
                return words.joined(separator: " ")
            }
            guard input.count < Self.limitBytes, !stop.comes(before: STDIN_FILENO) else {
                return nil
            }
            var piece = [UInt8](repeating: 0, count: 512)
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // A last line without an end is an answer too.
            if count <= 0 {
                guard !input.isEmpty else { return nil }
                input.append(UInt8(ascii: "\n"))
            }
            input += piece.prefix(max(0, count))
        }
    }
}
