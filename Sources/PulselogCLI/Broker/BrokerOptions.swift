internal import ArgumentParser
internal import Files
internal import MQTT
internal import Stores
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
        let isPlain = prefix.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-_/".contains($0))
        }
        try refuse(prefix.isEmpty || !isPlain, "prefix takes letters, digits, -, _ and /.")
        let files = [ca, passwordFile].compactMap(\.self)
        try refuse(!files.allSatisfy { $0.hasPrefix("/") }, "ca and password-file begin with /.")
        try refuse(passwordFile != nil && user == nil, "password-file needs a user.")
    }

    /// The port, which is another one with TLS.
    var usedPort: UInt16 { port ?? (ca == nil ? 1_883 : 8_883) }

    /// The broker, for people.
    var title: String { "The MQTT broker at \(printable(host, limit: 60)):\(usedPort)" }

    /// Makes a client of the broker.
    ///
    /// - Parameter topics: What the broker is told; nil for nothing.
    /// - Returns: The client, which does nothing yet.
    /// - Throws: ``CommandFailure``, or `SystemCallError`, if something that it needs is missing.
    func client(_ topics: WalkTopics? = nil) throws -> MQTTClient {
        var broker = MQTTBroker(host: host, port: usedPort)
        (broker.authorities, broker.user, broker.will) = (ca, user, topics?.offline)
        broker.topics = topics?.buttons.keys.sorted() ?? []
        if let ca { _ = try contents(of: ca) }
        if let passwordFile {
            let (bytes, permissions) = try contents(of: passwordFile)
            guard permissions & 0o077 == 0 else {
                throw CommandFailure(
                    .permission, "Others can read \(passwordFile).",
                    write: "chmod go= \(FilePath.quoted(passwordFile))")
            }
            broker.password = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        }
        if let client = MQTTClient(broker) { return client }
        throw CommandFailure(
            .unavailable, "MQTT needs libmosquitto. Run `apt-get install libmosquitto1`.")
    }

    private func contents(of path: String) throws -> (bytes: [UInt8], permissions: UInt32) {
        if let file = try readFile(path, limit: 1 << 20) { return file }
        throw CommandFailure(.noInput, "There is no \(path).")
    }
}
