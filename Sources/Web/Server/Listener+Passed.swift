internal import Files
internal import Glibc
package import Words

extension Listener {
    /// The first descriptor that a service manager passes on: SD_LISTEN_FDS_START.
    private static let firstPassed: CInt = 3

    /// Takes the port that the service manager listens to for this process: sd_listen_fds(3).
    ///
    /// - Parameter variable: Gives a variable of the environment.
    /// - Returns: nil if it has passed nothing on.
    /// - Throws: `CommandFailure` if that is anything but one listener of 127.0.0.1.
    package static func passed(
        _ variable: (String) -> String?
    ) throws(CommandFailure) -> Listener? {
        guard variable("LISTEN_PID") == "\(getpid())", let count = variable("LISTEN_FDS"),
            count != "0"
        else { return nil }
        var listens: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard count == "1", let name = name(of: firstPassed),
            getsockopt(firstPassed, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1,
            name.sin_family == sa_family_t(AF_INET),
            name.sin_addr.s_addr == INADDR_LOOPBACK.bigEndian,
            fcntl(firstPassed, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(firstPassed, F_SETFL, O_NONBLOCK) == 0
        else {
            throw CommandFailure(
                .unavailable,
                "The service manager passes on something else than one port of 127.0.0.1; name one "
                    + "in the socket's unit, such as `ListenStream=127.0.0.1:8367`.")
        }
        return Listener(descriptor: firstPassed, port: UInt16(bigEndian: name.sin_port))
    }

    /// Tells whether what is secret may be sent to a port.
    ///
    /// - Parameter port: The port.
    /// - Returns: Whether a program of this user listens to it, at 127.0.0.1.
    package static func isOurs(_ port: UInt16) -> Bool {
        do throws(SystemCallError) {
            let table = try readFile("/proc/net/tcp", limit: 8 << 20)?.bytes ?? []
            let digits = String(port, radix: 16, uppercase: true)
            let own = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
            return String(decoding: table, as: UTF8.self).split(separator: "\n").contains {
                // proc(5): the local address, the state (0A listens), the user.
                let fields = $0.split(separator: " ")
                return fields.count > 7 && fields[1] == own && fields[3] == "0A"
                    && fields[7] == "\(getuid())"
            }
        } catch {
            return false
        }
    }
}
