internal import Glibc
internal import Terminal
internal import Words

/// Where the process begins: what must hold before anything else runs, then the command.
@main
enum Program {
    /// Runs the command on the shared pool, and ends the process with its exit code.
    ///
    /// The main thread only waits. An asynchronous `main` would begin too late: by then the runtime
    /// has opened descriptors of its own.
    static func main() {
        StandardStreams.open()
        // A closed pipe is an error of write(2), not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        unblockSignals()
        if let complaint = ProcessLimits.complaint() ?? argumentsComplaint() {
            Output.standardError.say(complaint)
            exit(CommandFailure.Code.configuration.rawValue)
        }
        Task { @concurrent in
            exit(await Pulselog.run(Array(CommandLine.arguments.dropFirst())))
        }
        while true { pause() }
    }

    /// Lets the signals that end a process reach the main thread, whatever thread of the parent
    /// process started this one: a blocked signal passes on to a child.
    private static func unblockSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// The standard library reads the arguments from `/proc/self/cmdline`; every process has one.
    private static func argumentsComplaint() -> String? {
        CommandLine.arguments.isEmpty
            ? "The arguments cannot be read: /proc is not mounted. Mount it." : nil
    }
}
