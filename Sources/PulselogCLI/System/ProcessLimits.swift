internal import Glibc
internal import Synchronization

/// What a process needs of the system before it begins.
///
/// The runtime and its libraries trap, or wait for ever, when the system refuses them a descriptor,
/// a thread or memory. So the needs are tried out first: a limit (`ulimit`) that is too low is a
/// sentence then.
enum ProcessLimits {
    /// The files, sockets and timers of the busiest command, `record` with `--health-port`.
    private static let descriptorCount = 32
    /// The threads of the busiest command: those of the log, the bus, the pool, and who waits.
    private static let threadCount = 16
    /// Address space, the log's map not counted: a map takes what is left.
    private static let addressBytes = 320 << 20

    /// Looks for the first limit that is too low.
    ///
    /// - Returns: A sentence with what to do, or nil if all is well.
    static func complaint() -> String? {
        guard hasDescriptors() else {
            return "The system allows this process too few open files; raise the limit, "
                + "for example with `ulimit -n 256`."
        }
        guard hasAddressSpace() else {
            return "The system allows this process too little address space; raise the limit, "
                + "for example with `ulimit -v unlimited`."
        }
        guard hasThreads() else {
            return "The system has too few threads left for this process; end other programs, or "
                + "raise the limit, for example with `ulimit -u 4096`."
        }
        return nil
    }

    private static func hasDescriptors() -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < descriptorCount {
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return false }
            opened.append(descriptor)
        }
        return true
    }

    private static func hasAddressSpace() -> Bool {
        let trial = mmap(
            nil, addressBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard trial != MAP_FAILED else { return false }
        munmap(trial, addressBytes)
        return true
    }

    /// Held while threads are tried out, so that all of them live at once.
    private static let gate = Mutex(())

    private static func hasThreads() -> Bool {
        var threads: [pthread_t] = []
        gate.withLock { _ in
            for _ in 0..<threadCount {
                var thread = pthread_t()
                let status = pthread_create(
                    &thread, nil,
                    { _ in
                        ProcessLimits.gate.withLock { _ in nil }
                    }, nil)
                guard status == 0 else { break }
                threads.append(thread)
            }
        }
        for thread in threads { pthread_join(thread, nil) }
        return threads.count == threadCount
    }
}
