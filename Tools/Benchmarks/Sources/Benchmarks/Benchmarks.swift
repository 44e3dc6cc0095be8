import ArgumentParser
import Glibc

/// Measures the log and its folds against C on liblmdb; see the README beside the sources.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Tools/Benchmarks/run",
        abstract: "Measure the log and its folds against a C program on liblmdb, in one process.",
        discussion: """
            Exit code: 0 if every promise holds that must, 1 if one does not, 64 for wrong \
            arguments, 70 if the logs or the core totals of two sides differ or a store fails.
            """)

    @OptionGroup var options: Options

    @concurrent
    func run() async throws {
        do {
            let report = try await measure()
            print(options.isJSON ? report.json : report.table)
            guard report.holds else { throw ExitCode.failure }
        } catch let code as ExitCode {
            throw code
        } catch {
            say("benchmarks: \(error)\n")
            throw ExitCode(70)
        }
    }

    /// Runs the measures, and shows on a terminal what is under way.
    private func measure() async throws -> Report {
        let workspace = try Workspace(in: options.directory)
        let isTerminal = isatty(STDERR_FILENO) == 1
        let measures = Measures(options: options, workspace: workspace) { text in
            if isTerminal { say("\r\u{1B}[K" + text) }
        }
        defer { if isTerminal { say("\r\u{1B}[K") } }
        return Report(options: options, measures: try await measures.run())
    }

    /// Writes to standard error.
    private func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
