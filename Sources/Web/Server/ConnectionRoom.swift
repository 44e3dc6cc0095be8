internal import Glibc

/// How many files this process may have open: each connection is one.
enum ConnectionRoom {
    /// What all else opens: the store, the bus, sensors, and the libraries of the system.
    private static let reserve = 64
    /// A page with its stream does not load with fewer connections.
    static let leastConnections = 8

    /// Raises the limit as far as it is needed and allowed.
    ///
    /// - Parameter wanted: The most connections.
    /// - Returns: How many there is room for; 0 if that is less than ``leastConnections``.
    static func connections(upTo wanted: Int) -> Int {
        // What is accepted in one turn is open before what it displaces is closed.
        let others = reserve + WebServer.acceptedAtOnce
        let needed = rlim_t(others + wanted)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return wanted
        }
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let room = Int(min(needed, limit.rlim_cur)) - others
        return room < leastConnections ? 0 : room
    }
}
