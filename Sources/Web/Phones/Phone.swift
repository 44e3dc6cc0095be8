internal import Clocks
package import JSON
internal import TamperEvidence
internal import Words

/// A phone that was let in, or a program of one.
package struct Phone: Hashable, Sendable {
    /// What it may do.
    package enum Kind: String, Sendable {
        /// See walks, and change nothing.
        case watch
        /// Start, pause, mark and finish walks as well.
        case walk
        /// What the page does, but letting in others; as all could before there was a choice.
        case all = "page"
        /// Report totals of a day.
        case push
        /// See the overlay, by a link.
        case overlay

        /// What the owner of a phone chooses from.
        package static let rights: [Kind] = [.watch, .walk, .all]
        /// What it is called; nil for what was let in for one thing.
        package var right: String? { purpose == nil ? "\(self)" : nil }
        /// The one thing that it does; nil for what has a right.
        package var purpose: String? {
            switch self {
            case .push: "reports totals and positions only"
            case .overlay: "shows the overlay only"
            case .watch, .walk, .all: nil
            }
        }

        /// The kind of a right; nil if there is no such right.
        package init?(right: String) {
            guard let kind = Self.rights.first(where: { $0.right == right }) else { return nil }
            self = kind
        }

        var visitor: Access.Visitor {
            switch self {
            case .push: .phoneProgram
            case .overlay: .overlay
            case .all: .phone
            case .watch, .walk: .confinedPhone
            }
        }
    }

    /// The longest name, in characters.
    package static let nameLimit = 40

    /// For how long it is not noted again that it is heard of.
    private static let notedMilliseconds: Int64 = 600_000

    /// What its owner calls it; no two have the same name.
    package var name: String
    /// What it may do; what was let in for one thing does no other.
    package var kind: Kind { didSet { if oldValue.right == nil { kind = oldValue } } }
    /// When it was let in: UTC in milliseconds since 1970.
    package let pairedAtMilliseconds: Int64
    /// When it was last heard of, to some minutes; nil if never.
    package internal(set) var seenAtMilliseconds: Int64?
    /// The hash of its secret, which only the phone has.
    let secretDigest: String

    /// Whether it should be noted that it is heard of.
    func isWorthNoting(at now: Arrival) -> Bool {
        guard let last = seenAtMilliseconds else { return true }
        let since = now.wallMilliseconds.subtractingReportingOverflow(last)
        return since.overflow || !(0..<Self.notedMilliseconds).contains(since.partialValue)
    }

    /// What is said of it below its name on a page.
    func facts(at now: Arrival, _ offsetMinutes: (Int64) -> Int64) -> [String] {
        let last = seenAtMilliseconds.map { "Last seen \(local($0, offsetMinutes))" }
        let right = kind.right.map { "May \(kind == .all ? "do all" : $0)" }
        let seen = isWorthNoting(at: now) ? last ?? "Not seen yet" : "Seen now"
        return [right ?? capitalized(kind.purpose ?? ""), seen]
    }

    private func local(_ milliseconds: Int64, _ offsetMinutes: (Int64) -> Int64) -> String {
        let time = LocalTime(milliseconds, offsetMinutes: offsetMinutes(milliseconds))
        return "\(time.date.dayAndMonth)\(time.date.year(unless: nil)), \(time.clock)"
    }

    /// What is said of it below its name.
    ///
    /// - Parameter offsetMinutes: This machine's zone at a UTC time.
    /// - Returns: The words.
    package func about(_ offsetMinutes: (Int64) -> Int64) -> String {
        let use = kind.purpose.map { "\($0), added" } ?? "may \(kind), paired"
        let seen = seenAtMilliseconds.map { "last seen \(local($0, offsetMinutes))" }
        let paired = local(pairedAtMilliseconds, offsetMinutes)
        return "\(use) \(paired); \(seen ?? "not seen yet")"
    }
}

extension String {
    /// Its SHA-256 (FIPS 180-4), in hexadecimal digits: what is kept of a secret.
    var digest: String {
        FileDigest(Array(utf8)).digits
    }

    /// Whether both are the same; takes the same time wherever they differ.
    func equalsInConstantTime(_ other: some StringProtocol) -> Bool {
        let (own, others) = (Array(utf8), Array(other.utf8))
        guard own.count == others.count else { return false }
        return zip(own, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Phone: JSONObject {
    /// Writes the fields of its file.
    package func writeFields(to json: inout JSONWriter) {
        json.field("name", name)
        json.field("kind", kind.rawValue)
        json.field("pairedAtMilliseconds", pairedAtMilliseconds)
        json.field("seenAtMilliseconds", seenAtMilliseconds)
        json.field("secretDigest", secretDigest)
    }

    /// Reads them; nil if one is missing.
    init?(_ value: JSONValue) {
        guard let name = value["name"]?.text, let digest = value["secretDigest"]?.text,
            let kind = value["kind"]?.text.flatMap(Kind.init(rawValue:)),
            let pairedAt = value["pairedAtMilliseconds"]?.integer(as: Int64.self)
        else { return nil }
        self.init(
            name: name, kind: kind, pairedAtMilliseconds: pairedAt,
            seenAtMilliseconds: value["seenAtMilliseconds"]?.integer(as: Int64.self),
            secretDigest: digest)
    }
}
