internal import Glibc
package import Words

/// The folder in which a study's keys are.
package struct StudyFolder {
    private let path: String
    /// The keeper and the people of the study, a line of name and public key for each.
    private var peopleFile: String { "\(path)/people" }
    private var accountsFile: String { "\(path)/accounts.conf" }

    /// Names a folder.
    package init(_ path: String) { self.path = path }

    /// Adds people, and makes the study if there is none.
    ///
    /// - Throws: `CommandFailure`.
    package func add(_ people: [String]) throws(CommandFailure) {
        for person in people { try check(person) }
        var keys: [String: String] = [:]
        if access(peopleFile, F_OK) == 0 {
            keys = try self.keys()
        } else if access(accountsFile, F_OK) == 0 {
            // To write it anew would shut out everybody whom it names.
            throw CommandFailure(
                .noInput, "\(peopleFile), which says whose keys are known, is missing.")
        } else {
            try TextFile.makeFolder(path)
        }
        for person in [StudyConfiguration.keeper] + people where keys[person] == nil {
            keys[person] = try seed(of: person).publicKey
        }
        try write(keys)
    }

    /// Removes somebody, who is let in no more then.
    ///
    /// - Parameters:
    ///   - person: Who leaves.
    ///   - seedFile: The seed of whoever asks; nil for somebody with a credentials file.
    /// - Throws: `CommandFailure` if this is not the folder of that keeper's study.
    package func remove(_ person: String, as seedFile: String?) throws(CommandFailure) {
        try check(person)
        guard access(peopleFile, F_OK) == 0 else {
            throw CommandFailure(
                .noInput, "\(path) is not the folder of a study: “people” is missing.")
        }
        var keys = try keys()
        if let seedFile, try Nkey(seedFile: seedFile).publicKey != keys[StudyConfiguration.keeper] {
            throw CommandFailure(.badData, "\(seedFile) is not the seed of the keeper of \(path).")
        }
        keys[person] = nil
        try write(keys)
    }

    /// Writes the server's configuration, unless it is there: a keeper has added to it.
    ///
    /// - Throws: `CommandFailure`.
    package func writeServer(port: Int) throws(CommandFailure) {
        let file = "\(path)/nats.conf"
        guard access(file, F_OK) != 0 else { return }
        try TextFile.write(file, StudyConfiguration.server(port: port))
    }

    private func check(_ person: String) throws(CommandFailure) {
        guard FleetLog.isPerson(person), person != StudyConfiguration.keeper else {
            throw CommandFailure(
                .usage,
                "“\(person)” is not a name: 1 to 64 letters, digits, “-” and “_”, and not "
                    + "“\(StudyConfiguration.keeper)”.")
        }
    }

    private func keys() throws(CommandFailure) -> [String: String] {
        var keys: [String: String] = [:]
        for line in try TextFile.read(peopleFile).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2 else {
                throw CommandFailure(.badData, "\(peopleFile): “\(line)” is not a name and a key.")
            }
            keys[String(words[0])] = String(words[1])
        }
        guard keys[StudyConfiguration.keeper] != nil else {
            throw CommandFailure(.badData, "\(peopleFile) does not name the keeper.")
        }
        return keys
    }

    /// The seed of somebody, made if there is none.
    private func seed(of person: String) throws(CommandFailure) -> Nkey {
        let file = "\(path)/\(person).seed"
        if access(file, F_OK) == 0 { return try Nkey(seedFile: file) }
        var random = SystemRandomNumberGenerator()
        let seed = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let key = Nkey(seed: seed) else {
            throw CommandFailure(.internalError, "A key could not be made.")
        }
        try TextFile.write(file, key.seedText + "\n", isSecret: true)
        return key
    }

    private func write(_ keys: [String: String]) throws(CommandFailure) {
        let people = keys.sorted { $0.key < $1.key }
        let configuration = StudyConfiguration(
            keeperKey: keys[StudyConfiguration.keeper] ?? "",
            people: people.filter { $0.key != StudyConfiguration.keeper }.map { ($0, $1) })
        try TextFile.write(peopleFile, people.map { "\($0) \($1)\n" }.joined())
        try TextFile.write(accountsFile, configuration.accounts)
    }
}

extension Nkey {
    /// Reads the file of a seed.
    ///
    /// - Throws: `CommandFailure`.
    package init(seedFile: String) throws(CommandFailure) {
        let text = try TextFile.read(seedFile).split(whereSeparator: \.isWhitespace).first ?? ""
        guard let key = Nkey(seedText: text) else {
            throw CommandFailure(
                .badData, "\(seedFile) holds no seed of a user; it begins with SU.")
        }
        self = key
    }
}
