internal import Glibc

extension LocalZone {
    /// The zone that is set for this machine or process and of which there is no data, so that the
    /// system takes UTC without a word; nil if the zone is known, or none is set.
    ///
    /// As tzset(3) read the environment first: that does not change while a program runs.
    public static let unknownName: String? = unknownName(
        variable: text(of: "TZ"),
        folder: text(of: "TZDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo",
        machineFile: "/etc/localtime")

    /// The zone of which there is no data.
    ///
    /// - Parameters:
    ///   - variable: What `TZ` says; nil if it is not set.
    ///   - folder: Where the data is.
    ///   - machineFile: The file of the machine's own zone.
    /// - Returns: Its name; nil if it is known.
    static func unknownName(
        variable: String?, folder: String, machineFile: String
    ) -> String? {
        guard let variable else {
            var status = stat()
            guard unsafe lstat(machineFile, &status) == 0, !isZoneFile(machineFile) else {
                return nil
            }
            let name = linkedName(of: machineFile) ?? machineFile
            return isUTC(name) ? nil : name
        }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        let isKnown =
            name.isEmpty || isZoneFile(name.hasPrefix("/") ? name : "\(folder)/\(name)")
            || isUTC(name) || isRule(name)
        return isKnown ? nil : name
    }

    /// Whether a name means UTC, which needs no data.
    private static func isUTC(_ name: String) -> Bool {
        let bare = name.hasPrefix("Etc/") ? String(name.dropFirst(4)) : name
        return ["UTC", "UCT", "GMT", "GMT0", "Zulu", "Universal", "Greenwich"].contains(bare)
    }

    /// Whether a setting is a rule of its own, such as `CET-1CEST`: a name of three letters or
    /// more, or in angle brackets, and an offset of a day at most (POSIX.1, 8.3).
    private static func isRule(_ setting: String) -> Bool {
        let name =
            setting.hasPrefix("<")
            ? setting.prefix { $0 != ">" }.dropFirst() : setting.prefix { $0.isLetter }
        guard name.utf8.count >= 3 else { return false }
        var rest = setting[name.endIndex...]
        if rest.hasPrefix(">") { rest.removeFirst() }
        if rest.hasPrefix("+") || rest.hasPrefix("-") { rest.removeFirst() }
        let hours = rest.prefix { $0.isNumber }
        return Int(hours).map { $0 <= 24 } ?? false
    }

    /// Whether a file is one of zones, by how it begins (RFC 8536, 3.1).
    private static func isZoneFile(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: 4)
        return unsafe read(descriptor, &start, 4) == 4 && start == Array("TZif".utf8)
    }

    /// The zone that a link leads to.
    private static func linkedName(of path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        let link = String(
            decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return link.firstRange(of: "zoneinfo/").map { String(link[$0.upperBound...]) }
    }

    private static func text(of variable: String) -> String? {
        unsafe getenv(variable).map { unsafe String(cString: $0) }
    }
}
