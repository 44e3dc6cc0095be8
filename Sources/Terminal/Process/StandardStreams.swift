internal import Glibc
internal import Words

/// Descriptors 0, 1 and 2.
package enum StandardStreams {
    /// Opens `/dev/null` onto whichever of them is closed.
    ///
    /// Otherwise the next file that is opened gets the number, and what is printed overwrites it:
    /// that can be the log's data file. Call it before anything else that opens a file. Where there
    /// is no `/dev/null` the process ends, because nothing that follows would be safe. Standard
    /// output still cannot be written: whoever has something to say there fails.
    package static func open() {
        for number in STDIN_FILENO...STDERR_FILENO
        where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is the one that is given.
            let mode = number == STDOUT_FILENO ? O_RDONLY : O_RDWR
            guard Glibc.open("/dev/null", mode) == number else {
                let complaint =
                    "pulselog: /dev/null cannot be opened in place of a closed stream. "
                    + "Restore it: `mknod -m 666 /dev/null c 1 3`.\n"
                _ = Output.standardError.offer(Array(complaint.utf8))
                exit(CommandFailure.Code.configuration.rawValue)
            }
        }
    }
}
