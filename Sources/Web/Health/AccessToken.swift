internal import Files
internal import Glibc

/// A secret that lets a program in: 32 random bytes as base64url (RFC 4648, 5).
///
/// It stands in the store's folder in a file of its own that only its owner can read; on no command
/// line and in no event. That of the page is also in the address that `serve` prints, and good as
/// long as that `serve` runs.
public struct AccessToken: Hashable, Sendable {
    /// The number of random bytes.
    public static let randomBytes = 32
    /// What a token lets a program do: the name of its file in the folder of a store.
    public enum Purpose: String, Sendable {
        /// Send health totals.
        case health = "health-token"
        /// See walks, and ask for things.
        case walks = "walk-token"
        /// See how the recorder is.
        case metrics = "metrics-token"
    }

    /// The token, 43 characters.
    public let text: String

    /// Makes a token.
    ///
    /// - Parameter random: ``randomBytes`` bytes that nobody can guess.
    public init(random: [UInt8]) {
        precondition(random.count == Self.randomBytes, "A token needs 32 random bytes.")
        text = Self.base64URL(random)
    }

    /// Reads a token as it is in its file; nil if it isn't one.
    init?(_ text: Substring) {
        let isWhole = text.utf8.count == 43
        guard isWhole, text.utf8.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        self.text = String(text)
    }

    /// Whether this is the token; takes the same time wherever a wrong one differs.
    func equals(_ other: some StringProtocol) -> Bool { text.equalsInConstantTime(other) }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func base64URL(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var pending: UInt32 = 0
        var pendingBits: UInt32 = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            pendingBits += 8
            while pendingBits >= 6 {
                pendingBits -= 6
                text.append(alphabet[Int(pending >> pendingBits & 0x3F)])
            }
            pending &= 0xFF
        }
        if pendingBits > 0 { text.append(alphabet[Int(pending << (6 - pendingBits) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }
}

// MARK: - The file

extension AccessToken {
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
    /// - Throws: ``AccessTokenError``.
    public init(
        _ purpose: Purpose, inStore directory: String, isNew: Bool = false,
        random: (Int) -> [UInt8]
    ) throws(AccessTokenError) {
        if !isNew, let known = try Self.existing(purpose, inStore: directory) {
            self = known
            return
        }
        let path = "\(directory)/\(purpose.rawValue)"
        let made = AccessToken(random: random(Self.randomBytes))
        do throws(SystemCallError) {
            try writeFile(Array("\(made.text)\n".utf8), to: path, replaces: isNew)
        } catch {
            throw AccessTokenError(path, error)
        }
        guard let known = try Self.existing(purpose, inStore: directory) else {
            throw AccessTokenError(path)
        }
        self = known
    }

    /// Lets nobody in with this token from now on.
    ///
    /// - Parameters:
    ///   - purpose: What it lets a program do.
    ///   - directory: The folder of the store.
    public func end(_ purpose: Purpose, inStore directory: String) {
        do throws(AccessTokenError) {
            guard try Self.existing(purpose, inStore: directory) == self else { return }
            unlink("\(directory)/\(purpose.rawValue)")
        } catch {
            return  // What is not read lets nobody in.
        }
    }

    /// The token of a store; nil if none was made.
    private static func existing(
        _ purpose: Purpose, inStore directory: String
    ) throws(AccessTokenError) -> AccessToken? {
        let path = "\(directory)/\(purpose.rawValue)"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw AccessTokenError(path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw AccessTokenError(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw AccessTokenError(path, "others can read it; chmod 600 it, or delete it")
        }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw AccessTokenError(path) }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        guard text.hasSuffix("\n"), let token = AccessToken(text.dropLast()) else {
            throw AccessTokenError(path, "it holds no token; delete it, and a new one is created")
        }
        return token
    }
}

/// A file of secrets that cannot be read or made.
public struct AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What is wrong with it.
    public let reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The failure of a system call: the last one, if none is given.
    init(_ path: String, _ error: SystemCallError? = nil) {
        let number = error?.number ?? errno
        let remedy = FilePath.remedy(path).map { "; \($0)" } ?? ""
        self.init(path, String(cString: strerror(number)) + remedy)
    }

    /// What happened and what to do.
    public var description: String { "The file of secrets \(path) cannot be used: \(reason)." }
}
