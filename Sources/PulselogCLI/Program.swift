internal import ArgumentParser
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
            Output.standardError.write("pulselog: \(complaint)\n")
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

/// Descriptors 0, 1 and 2.
enum StandardStreams {
    /// Opens `/dev/null` onto whichever of them is closed.
    ///
    /// Otherwise the next file that is opened gets the number, and what is printed overwrites it:
    /// that can be the log's data file. Call it before anything else that opens a file. Where there
    /// is no `/dev/null` the process ends, because nothing that follows would be safe.
    static func open() {
        for number in STDIN_FILENO...STDERR_FILENO where isClosed(number) {
            // The lowest free number is the one that is given.
            guard Glibc.open("/dev/null", O_RDWR) == number else {
                let complaint =
                    "pulselog: /dev/null cannot be opened in place of a closed stream. "
                    + "Restore it: `mknod -m 666 /dev/null c 1 3`.\n"
                _ = Output.standardError.offer(Array(complaint.utf8))
                exit(CommandFailure.Code.configuration.rawValue)
            }
        }
    }

    private static func isClosed(_ number: Int32) -> Bool {
        fcntl(number, F_GETFD) == -1 && errno == EBADF
    }
}
