internal import Glibc

/// How many connections there can be: each is one of the files that this process may have open.
enum ConnectionRoom {
    /// What all else opens: the store, the bus, sensors, and the libraries of the system.
    private static let reserve = 48
    /// A page with its stream does not load with fewer connections.
    static let least = 8

    /// How many there is room for.
    ///
    /// - Parameter wanted: The most connections.
    /// - Returns: At most as many; 0 if that is less than ``least``.
    static func connections(upTo wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return wanted
        }
        // What is accepted in one turn is open before what it displaces is closed.
        let others = reserve + WebServer.acceptedAtOnce
        let room = Int(min(limit.rlim_cur, rlim_t(others + wanted))) - others
        return room < min(least, wanted) ? 0 : room
    }
}
