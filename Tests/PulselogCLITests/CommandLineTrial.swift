import ArgumentParser

@testable import PulselogCLI

/// Arguments, given to the parser alone, as `Pulselog.run` does.
struct CommandLineTrial {
    /// The complaint; nil if they are taken, or help is asked for.
    let complaint: String?
    /// The exit code.
    let status: Int32

    init(_ arguments: [String]) {
        do {
            _ = try Pulselog.parseAsRoot(arguments)
            (complaint, status) = (nil, 0)
        } catch {
            status = Pulselog.exitCode(for: error).rawValue
            complaint =
                status == 0
                ? nil
                : ParserComplaint(Pulselog.fullMessage(for: error), arguments, Pulselog.self).text
        }
    }
}
