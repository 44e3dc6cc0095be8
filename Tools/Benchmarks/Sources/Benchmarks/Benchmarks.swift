import EventStore
import Glibc

/// Measures the log and its folds against C on liblmdb; see the README beside the package.
@main
struct Benchmarks {
    @concurrent
    static func main() async {
        let options: Options
        do throws(UsageError) {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            guard let message = error.message else {
                print(Options.usage)
                exit(0)
            }
            report(message + "\n\n" + Options.usage)
            exit(64)
        }
        do {
            exit(try await run(options))
        } catch {
            report("benchmarks: \(error)")
            exit(70)
        }
    }

    /// Runs the measures and prints them.
    ///
    /// - Returns: The exit code.
    private static func run(_ options: Options) async throws -> Int32 {
        let workspace = try Workspace(in: options.directory)
        let isTerminal = isatty(STDERR_FILENO) == 1
        let measures = Measures(options: options, workspace: workspace) { text in
            if isTerminal { report("\r\u{1B}[K" + text, terminator: "") }
        }
        let result = Report(options: options, measures: try await measures.run())
        if isTerminal { report("\r\u{1B}[K", terminator: "") }
        print(options.isJSON ? result.json : result.table)
        return result.holds ? 0 : 1
    }

    /// Writes to standard error.
    private static func report(_ text: String, terminator: String = "\n") {
        let bytes = Array((text + terminator).utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
