/// What a server of a study is told: one account, a keeper who may do everything in it, and people
/// who may send what is theirs and ask how far the cluster has it, and no more.
public struct StudyConfiguration: Sendable {
    /// The keeper's token in inboxes; nobody else is called so.
    public static let keeper = "keeper"

    private let keeperKey: String
    private let people: [(name: String, key: String)]
    private let port: Int

    /// Describes a study.
    ///
    /// - Parameters:
    ///   - keeperKey: The keeper's public key.
    ///   - people: Names and public keys.
    ///   - port: Where the server listens.
    public init(keeperKey: String, people: [(name: String, key: String)], port: Int) {
        self.keeperKey = keeperKey
        self.people = people
        self.port = port
    }

    /// What replies to a person begin with.
    public static func inbox(of person: String) -> String { "_INBOX_\(person)" }

    /// The configuration of a server.
    public var text: String {
        let users = people.map { person in
            """
                  { nkey: \(person.key), permissions: {
                    publish: ["pulselog.*.\(person.name).>",
                      "$JS.API.DIRECT.GET.\(Subjects.events).pulselog.*.\(person.name).>"]
                    subscribe: ["\(Self.inbox(of: person.name)).>"] } }

            """
        }
        return """
            # A study's server; `nats-server -c` reads it. Each of three servers of a cluster has
            # the same, with a `cluster` section of its own.
            listen: "0.0.0.0:\(port)"
            max_payload: 8MB
            jetstream { store_dir: "jetstream" }
            accounts {
              STUDY {
                jetstream: enabled
                users: [
                  { nkey: \(keeperKey) }
            \(users.joined())    ]
              }
            }

            """
    }
}
