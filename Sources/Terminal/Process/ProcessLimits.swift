internal import Glibc
internal import Words

/// What a process needs of the system before it begins.
///
/// The runtime and its libraries trap, or wait forever, when the system refuses them a descriptor,
/// a thread or memory. So the needs are tried out first: a limit (`ulimit`) that is too low is a
/// sentence then.
package enum ProcessLimits {
    /// The files, sockets and timers of the busiest command, `record` with `--port`.
    private static let descriptorCount = 32
    /// The threads of the busiest command: those of the log, the bus, the pool, and who waits.
    private static let threadCount = 16
    /// Address space: the smallest map of a log, and beyond it the stacks and heaps of threads.
    ///
    /// A thread that is refused its stack is waited for.
    private static let addressBytes = (1 << 30) + (64 << 20)

    /// The descriptors that a page of many browsers wants: asked for, and not needed.
    private static let wantedDescriptors: rlim_t = 1_024

    /// Raises what may be raised, and looks for the first limit that is too low.
    ///
    /// - Returns: A sentence with what to do, or nil if all is well.
    package static func complaint() -> String? {
        guard hasDescriptors() else {
            return "The system allows this process too few open files; \(CommandFailure.moreFiles)"
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
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < wantedDescriptors
        {
            limit.rlim_cur = min(wantedDescriptors, limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
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

    /// The ends of a pipe at which threads that are tried out wait; nil if there is none.
    ///
    /// So all of them live at once. When it is closed they all end, where a lock would let them go
    /// one after the other.
    private static let gate: (read: Int32, write: Int32)? = {
        var ends: [Int32] = [-1, -1]
        return pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }()

    private static func hasThreads() -> Bool {
        guard let gate else { return false }
        var threads: [pthread_t] = []
        while threads.count < threadCount {
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { _ in
                    guard let gate = ProcessLimits.gate else { return nil }
                    var byte: UInt8 = 0
                    read(gate.read, &byte, 1)
                    return nil
                }, nil)
            guard status == 0 else { break }
            threads.append(thread)
        }
        close(gate.write)
        for thread in threads { pthread_join(thread, nil) }
        close(gate.read)
        return threads.count == threadCount
    }
}
