/// What a server of a study is told.
///
/// The keeper has the streams in an account of his own. Each person has another one, from which
/// nothing can be reached but two services: sending what is theirs, and asking how far the cluster
/// has it. Answers to a service go to whoever asked. Permissions in one account would not do: they
/// do not look at where an answer goes, and one that goes to another's subject, or to the API, is
/// taken there with the rights of the server.
package struct StudyConfiguration: Sendable {
    /// The keeper's name; nobody else is called so.
    package static let keeper = "keeper"

    private let keeperKey: String
    private let people: [(name: String, key: String)]

    /// Describes a study.
    ///
    /// - Parameters:
    ///   - keeperKey: The keeper's public key.
    ///   - people: Names and public keys.
    package init(keeperKey: String, people: [(name: String, key: String)]) {
        (self.keeperKey, self.people) = (keeperKey, people)
    }

    /// What a person may send to and ask.
    private static func services(of person: String) -> [String] {
        let own = Subjects.person(person)
        return [own, "$JS.API.DIRECT.GET.\(Subjects.events).\(own)"]
    }

    /// The accounts, as a server reads them.
    package var accounts: String {
        let exports = people.flatMap { person in
            Self.services(of: person.name).map { service in
                "      { service: \"\(service)\", accounts: [PERSON_\(person.name)] }\n"
            }
        }
        let accounts = people.map { person in
            let imports = Self.services(of: person.name).map { service in
                "      { service: { account: STUDY, subject: \"\(service)\" } }\n"
            }
            return """
                  PERSON_\(person.name) {
                    users: [ { nkey: \(person.key) } ]
                    imports: [
                \(imports.joined())    ]
                  }

                """
        }
        return """
            # Written by `pulselog-fleet init`, which writes it anew for more people.
            accounts {
              STUDY {
                jetstream: enabled
                users: [ { nkey: \(keeperKey) } ]
                exports: [
            \(exports.joined())    ]
              }
            \(accounts.joined())}

            """
    }

    /// The configuration of a server, which is the keeper's to change.
    ///
    /// - Parameter port: Where it listens.
    /// - Returns: The text.
    package static func server(port: Int) -> String {
        """
        # A study's server; `nats-server -c` reads it. Written once: add a `cluster` section for
        # each of several servers, and `tls` before anybody connects over a stranger's network.
        listen: "0.0.0.0:\(port)"
        max_payload: 8MB
        jetstream { store_dir: "jetstream" }
        include "accounts.conf"

        """
    }
}
