package import Clocks
package import JSON
internal import Text

/// Which phones are let in, and by which code another one is: a value, that of a file.
///
/// A code is short, for whoever types it, and has a long form, for whoever scans it. Guesses are
/// made at the short one: a few kill it, and a few in a minute end all typing for that minute. The
/// long one cannot be guessed, so no flood of guesses keeps its owner out.
package struct PhoneBook: Hashable, Sendable {
    /// How long a code is good.
    package static let codeMilliseconds: UInt64 = 120_000
    /// How many wrong tries kill a code.
    static let triesOfCode = 5
    /// How many wrong tries there may be in ``windowMilliseconds``, of all codes together.
    static let triesInWindow = 5
    /// For how long tries are counted.
    static let windowMilliseconds: UInt64 = 60_000
    /// The most phones.
    static let limit = 32
    /// What is said where there is no room for another.
    package static let fullSentence =
        "\(limit) phones are paired; `pulselog serve devices revoke` ends one."
    /// Whether there is no room for another.
    package var isFull: Bool { phones.count >= Self.limit }

    /// What a phone is paired by.
    struct Code: Hashable, Sendable {
        /// What the phone may do then.
        var kind: Phone.Kind
        var typedDigest: String?
        var scannedDigest: String
        /// By the clock since the machine started.
        var endsAtMilliseconds: UInt64
        var triesLeft: Int

        func isGood(at now: Arrival) -> Bool {
            // The clock began anew with the machine: then it was given out in no time at all.
            now.bootMilliseconds < endsAtMilliseconds
                && endsAtMilliseconds - now.bootMilliseconds <= codeMilliseconds
        }
    }

    /// Where phones reach the server that was started last; nil while none listens for them.
    package internal(set) var address: String?
    /// In the order in which they came.
    package var phones: [Phone] = []
    var code: Code?
    /// When the first wrong try of the minute came, by the clock since the machine started.
    private var triesBeganAtMilliseconds: UInt64 = 0
    private var tries = 0

    /// The phone that knows one of these secrets.
    func phone(with secrets: [Substring]) -> Phone? {
        let digests = secrets.compactMap { AccessToken($0)?.text.digest }
        return phones.first { phone in
            digests.contains { phone.secretDigest.equalsInConstantTime($0) }
        }
    }

    // MARK: - Pairing

    /// Makes a code, in place of the one before.
    ///
    /// - Returns: What is shown: the code to type, and the one to scan.
    mutating func makeCode(
        for kind: Phone.Kind = .walk, at now: Arrival, random: (Int) -> [UInt8]
    ) -> (typed: String, scanned: String) {
        let scanned = AccessToken(random: random(AccessToken.randomBytes)).text
        let typed = String(random(8).map { Self.alphabet[Int($0) % Self.alphabet.count] })
        code = Code(
            kind: kind, typedDigest: typed.digest, scannedDigest: scanned.digest,
            endsAtMilliseconds: now.bootMilliseconds + Self.codeMilliseconds,
            triesLeft: Self.triesOfCode)
        return ("\(typed.prefix(4))-\(typed.suffix(4))", scanned)
    }

    /// What became of a code that somebody came with.
    enum Redemption: Hashable, Sendable {
        case paired(name: String)
        /// There is no such code, or it is no longer valid.
        case wrong
        /// Nobody may type for up to a minute.
        case tooMany
        /// There is no room.
        case full
    }

    /// Lets in whoever comes with the code.
    ///
    /// - Parameters:
    ///   - text: What was typed or scanned.
    ///   - secret: What the phone has to know from then on.
    ///   - now: When.
    /// - Returns: What became of it.
    mutating func redeem(
        _ text: String, for secret: AccessToken, at now: Arrival
    ) -> Redemption {
        if AccessToken(text[...]) != nil {
            guard let code, code.isGood(at: now),
                code.scannedDigest.equalsInConstantTime(text.digest)
            else { return .wrong }
        } else {
            guard tries < Self.triesInWindow || !isInWindow(now) else { return .tooMany }
            guard let code, code.isGood(at: now), let digest = code.typedDigest else {
                return .wrong  // There is nothing to guess.
            }
            guard digest.equalsInConstantTime(Self.meant(text).digest) else {
                noteWrongTry(at: now)
                return .wrong
            }
        }
        guard !isFull else { return .full }
        defer { code = nil }
        return .paired(name: add("Phone", code?.kind ?? .walk, secret, at: now))
    }

    /// Whether what is tried now is counted with the tries before.
    private func isInWindow(_ now: Arrival) -> Bool {
        now.bootMilliseconds >= triesBeganAtMilliseconds
            && now.bootMilliseconds - triesBeganAtMilliseconds < Self.windowMilliseconds
    }

    private mutating func noteWrongTry(at now: Arrival) {
        code?.triesLeft -= 1
        // Who scans it is let in all the same.
        if code?.triesLeft == 0 { code?.typedDigest = nil }
        if !isInWindow(now) { (triesBeganAtMilliseconds, tries) = (now.bootMilliseconds, 0) }
        tries += 1
    }

    /// Digits and letters, without those that look like another (Crockford's base 32).
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// What somebody means who types it in small letters, with blanks, or an O for a 0.
    private static func meant(_ text: String) -> String {
        let likes: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
        return String(
            text.uppercased().map { likes[$0] ?? $0 }.filter { alphabet.contains($0) })
    }

    /// Notes where phones reach a server that starts; what it did not give out is no longer valid.
    package mutating func listen(at address: String) {
        self.address = address
        code = nil
    }

    /// For how long the code is good, `The code is good for 1:52.`; nil without one.
    func codeWords(at now: Arrival) -> String? {
        guard let code, code.isGood(at: now) else { return nil }
        let left = code.endsAtMilliseconds - now.bootMilliseconds
        return "The code is good for \(TimeText.duration(left))."
    }

    // MARK: - Phones

    /// Adds one.
    ///
    /// - Returns: Its name: with a number, if there is one of that name.
    package mutating func add(
        _ name: String, _ kind: Phone.Kind, _ secret: AccessToken, at now: Arrival
    ) -> String {
        var (unique, number) = (name, 1)
        while phones.contains(where: { $0.name == unique }) {
            number += 1
            unique = "\(name) \(number)"
        }
        phones.append(
            Phone(
                name: unique, kind: kind, pairedAtMilliseconds: now.wallMilliseconds,
                seenAtMilliseconds: nil, secretDigest: secret.text.digest))
        return unique
    }

    /// The place of the phone of a name; nil if there is none.
    package func index(of name: String) -> Int? { phones.firstIndex { $0.name == name } }
}

extension PhoneBook: JSONObject {
    /// Writes the fields of the file.
    package func writeFields(to json: inout JSONWriter) {
        json.field("version", 1)
        json.field("address", address)
        json.field("triesBeganAtMilliseconds", triesBeganAtMilliseconds)
        json.field("tries", tries)
        json.field("code", code)
        json.field("phones", phones)
    }

    /// Reads the file; nil if it is none of ours.
    init?(decodingJSON bytes: [UInt8]) {
        guard let value = JSONValue(parsing: bytes), value["version"]?.integer(as: Int.self) == 1,
            let phones = value["phones"]?.elements
        else { return nil }
        self.phones = phones.compactMap { Phone($0) }
        guard self.phones.count == phones.count else { return nil }
        address = value["address"]?.text
        triesBeganAtMilliseconds =
            value["triesBeganAtMilliseconds"]?.integer(as: UInt64.self) ?? 0
        tries = min(max(value["tries"]?.integer(as: Int.self) ?? 0, 0), Self.triesInWindow)
        code = value["code"].flatMap(Code.init)
    }
}

extension PhoneBook.Code: JSONObject {
    func writeFields(to json: inout JSONWriter) {
        json.field("kind", kind.rawValue)
        json.field("typedDigest", typedDigest)
        json.field("scannedDigest", scannedDigest)
        json.field("endsAtMilliseconds", endsAtMilliseconds)
        json.field("triesLeft", triesLeft)
    }

    init?(_ value: JSONValue) {
        guard let scanned = value["scannedDigest"]?.text,
            let end = value["endsAtMilliseconds"]?.integer(as: UInt64.self),
            let triesLeft = value["triesLeft"]?.integer(as: Int.self),
            (0...PhoneBook.triesOfCode).contains(triesLeft)
        else { return nil }
        self.init(
            kind: value["kind"]?.text.flatMap(Phone.Kind.init(rawValue:)) ?? .walk,
            typedDigest: value["typedDigest"]?.text, scannedDigest: scanned,
            endsAtMilliseconds: end, triesLeft: triesLeft)
    }
}
