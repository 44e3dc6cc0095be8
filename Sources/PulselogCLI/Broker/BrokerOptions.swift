internal import ArgumentParser
internal import Files
internal import MQTT
internal import Text
internal import Words

/// The table `[mqtt]` of the configuration file, which is read as the options of a command are.
struct BrokerOptions: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mqtt")

    @Option var host: String
    @Option var port: UInt16?
    @Option var ca: String?
    @Option var user: String?
    @Option var passwordFile: String?
    @Option var prefix = "pulselog"
    @Flag var buttons = false

    func validate() throws {
        let names = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = names.allSatisfy { name in
            !name.isEmpty
                && name.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
                }
        }
        try refuse(!isPlain, "prefix takes letters, digits, - and _, and / between them.")
        try refuse(passwordFile != nil && user == nil, "password-file is that of a user; name it.")
    }

    /// The port, which is another one with TLS.
    var usedPort: UInt16 { port ?? (ca == nil ? 1_883 : 8_883) }

    /// The broker, for people.
    var title: String { "The MQTT broker at \(printable(host, limit: 60)):\(usedPort)" }

    /// Makes a client of the broker.
    ///
    /// - Parameter topics: What the broker is told; nil for nothing.
    /// - Throws: ``CommandFailure`` if something that it needs is missing.
    func client(_ topics: WalkTopics? = nil) throws(CommandFailure) -> MQTTClient {
        var broker = MQTTBroker(host: host, port: usedPort)
        (broker.will, broker.topics) = (
            topics?.offline, (topics?.buttons.keys).map(Array.init) ?? []
        )
        (broker.authorities, broker.user) = (ca.map(Self.place), user)
        if let ca = broker.authorities { _ = try contents(of: ca) }
        if let passwordFile = passwordFile.map(Self.place) {
            let (text, permissions) = try contents(of: passwordFile)
            guard permissions & 0o077 == 0 else {
                throw CommandFailure(
                    .permission, "Others can read \(passwordFile).",
                    write: "chmod go= \(FilePath.quoted(passwordFile))")
            }
            broker.password = String(text.prefix { !$0.isNewline })
        }
        if let client = MQTTClient(broker) { return client }
        throw CommandFailure(
            .unavailable, "MQTT needs libmosquitto. Run `apt-get install libmosquitto1`.")
    }

    /// Where a file is, whose name is one in the folder of the configuration.
    private static func place(_ name: String) -> String {
        let folder = ConfigurationFile.usualPath.map(FilePath.parent) ?? "."
        return name.hasPrefix("/") ? name : "\(folder)/\(name)"
    }

    private func contents(
        of path: String
    ) throws(CommandFailure) -> (text: String, permissions: UInt32) {
        do throws(SystemCallError) {
            guard let file = try readFile(path, limit: 1 << 20) else {
                throw SystemCallError("open", path, number: 2)
            }
            return (String(decoding: file.bytes, as: UTF8.self), file.permissions)
        } catch {
            throw CommandFailure(.noInput, "\(error)")
        }
    }
}
