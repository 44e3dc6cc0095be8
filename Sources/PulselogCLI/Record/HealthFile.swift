internal import Events
internal import Glibc
internal import Interchange
internal import Projections

/// A file in which another program keeps the day's total, as `{"date":"2026-03-01","steps":8123}`.
struct HealthFile: Sendable {
    /// The most bytes of the file.
    private static let limitBytes = 64 * 1_024

    private let path: String
    /// What the file was when it was read last.
    private var seen: (modified: timespec, size: Int)?

    /// Names a file; it need not exist yet.
    init(path: String) {
        self.path = path
    }

    /// The total, if the file is there and has changed since the last time.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be read, or is not of that form.
    mutating func change() throws(CommandFailure) -> Command? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let now = (modified: status.st_mtim, size: Int(status.st_size))
        if let seen, seen.size == now.size, seen.modified.tv_sec == now.modified.tv_sec,
            seen.modified.tv_nsec == now.modified.tv_nsec
        {
            return nil
        }
        seen = now
        return try Self.command(in: try SystemFile.read(path, limitBytes: Self.limitBytes), path)
    }

    private static func command(
        in text: [UInt8], _ path: String
    ) throws(CommandFailure) -> Command {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(text)
        } catch {
            throw CommandFailure(.badData, "\(path): \(error.description)")
        }
        guard case .string(let day)? = value["date"], let date = CivilDate(day),
            case .number(let number)? = value["steps"],
            let total = number.integer(as: UInt64.self)
        else {
            throw CommandFailure(
                .badData, "\(path): expected {\"date\":\"2026-03-01\",\"steps\":8123}.")
        }
        return .healthTotal(total, date: date, origin: "file", trigger: .observer)
    }
}
