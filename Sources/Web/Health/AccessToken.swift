internal import Files
internal import Glibc
internal import TamperEvidence
package import Words

/// A secret that lets a program in: 32 random bytes as base64url (RFC 4648, 5).
///
/// It stands in the store's folder in a file of its own that only its owner can read; on no command
/// line and in no event. That of the page is also in the address that `serve` prints, and good as
/// long as that `serve` runs.
package struct AccessToken: Hashable, Sendable {
    /// The number of random bytes.
    package static let randomBytes = 32
    /// What a token lets a program do: the name of its file in the folder of a store.
    package enum Purpose: String, Sendable {
        /// Send health totals.
        case health = "health-token"
        /// See walks, and ask for things.
        case walks = "walk-token"
        /// See how the recorder is.
        case metrics = "metrics-token"
    }

    /// The token, 43 characters.
    package let text: String

    /// Makes a token.
    ///
    /// - Parameter random: ``randomBytes`` bytes that nobody can guess.
    package init(random: [UInt8]) {
        precondition(random.count == Self.randomBytes, "A token needs 32 random bytes.")
        text = Base64.text(of: random, forURL: true)
    }

    /// Reads a token as it is in its file; nil if it isn't one.
    init?(_ text: Substring) {
        let bytes = Base64.bytes(of: text, forURL: true)
        guard bytes?.count == Self.randomBytes else { return nil }
        self.text = String(text)
    }

    /// Whether this is the token; takes the same time wherever a wrong one differs.
    func equals(_ other: some StringProtocol) -> Bool { text.equalsInConstantTime(other) }

    // MARK: - The file

    /// The token of a store; made at first use.
    ///
    /// The file appears whole or not at all, and in place of another only if that is asked for: of
    /// two programs that make the first one at the same time, one makes it and both use it.
    ///
    /// - Parameters:
    ///   - purpose: What it lets a program do.
    ///   - directory: The folder of the store.
    ///   - isNew: Whether it replaces the one that there is, which is good no more.
    ///   - random: Gives that many random bytes, if a token is made.
    /// - Throws: `CommandFailure`.
    package init(
        _ purpose: Purpose, inStore directory: String, isNew: Bool = false,
        random: (Int) -> [UInt8]
    ) throws(CommandFailure) {
        let path = "\(directory)/\(purpose.rawValue)"
        if !isNew, let known = try Self.existing(path) {
            self = known
            return
        }
        let made = AccessToken(random: random(Self.randomBytes))
        try namingSecrets(path) { () throws(SystemCallError) in
            try writeFile(Array("\(made.text)\n".utf8), to: path, replaces: isNew)
        }
        guard let known = try Self.existing(path) else {
            throw CommandFailure(ofSecrets: path, SystemCallError("open", path, number: ENOENT))
        }
        self = known
    }

    /// Lets nobody in with this token from now on.
    ///
    /// - Parameters:
    ///   - purpose: What it lets a program do.
    ///   - directory: The folder of the store.
    package func end(_ purpose: Purpose, inStore directory: String) {
        let path = "\(directory)/\(purpose.rawValue)"
        do throws(CommandFailure) {
            if try Self.existing(path) == self { unlink(path) }
        } catch {
            return  // What is not read lets nobody in.
        }
    }

    /// The token of a file; nil if there is none.
    private static func existing(_ path: String) throws(CommandFailure) -> AccessToken? {
        guard let bytes = try readSecrets(path, limit: 128) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasSuffix("\n"), let token = AccessToken(text.dropLast()) else {
            throw CommandFailure(
                ofSecrets: path, "it holds no token; delete it, and a new one is created")
        }
        return token
    }
}

/// Reads a file of secrets; nil if there is none.
///
/// - Throws: `CommandFailure` if it cannot be read, or others can read it.
func readSecrets(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8]? {
    let file = try namingSecrets(path) { () throws(SystemCallError) in
        try readFile(path, limit: limit, O_NOFOLLOW)
    }
    guard let file else { return nil }
    guard file.permissions & 0o077 == 0 else {
        throw CommandFailure(ofSecrets: path, "others can read it; chmod 600 it, or delete it")
    }
    return file.bytes
}

extension CommandFailure {
    /// A file of secrets that cannot be read or made.
    init(ofSecrets path: String, _ reason: String, isDiskFull: Bool = false) {
        self.init(
            isDiskFull ? .inputOutput : .permission,
            "The file of secrets \(path) cannot be used: \(reason).")
    }

    fileprivate init(ofSecrets path: String, _ error: SystemCallError) {
        let remedy = error.isDiskFull ? "make room" : FilePath.remedy(path)
        let words = [String(cString: strerror(error.number)), remedy].compactMap(\.self)
        self.init(
            ofSecrets: path, words.joined(separator: "; "), isDiskFull: error.isDiskFull)
    }
}

/// Calls the system for a file of secrets.
func namingSecrets<Value: ~Copyable>(
    _ path: String, _ body: () throws(SystemCallError) -> Value
) throws(CommandFailure) -> Value {
    do throws(SystemCallError) {
        return try body()
    } catch {
        throw CommandFailure(ofSecrets: path, error)
    }
}
