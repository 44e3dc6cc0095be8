internal import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB
internal import TamperEvidence

/// What is kept of a log outside of its store: the key that signs it, and checkpoints, of which the
/// last is the one that counts.
///
/// An older store that is put in place of a newer one does not bring these along, and is noticed.
public struct CheckpointFolder: Sendable {
    /// The files here, by their names.
    private enum File: String, CaseIterable {
        case key
        case checkpoint
        case checkpoints
        case place
        case selfCheck = "self-check"
    }

    /// So many are kept at most: the later half of them, and every second one before.
    private static let checkpointLimit = 64

    /// None of the files here is longer.
    private static let fileLimitBytes = 1 << 16

    /// The path; the folder is made when it is needed.
    public let path: String
    /// For how long one process may hold others up.
    private let turnMilliseconds: Int

    /// Names the folder of one log.
    ///
    /// - Parameters:
    ///   - path: A folder that holds nothing else.
    ///   - turnMilliseconds: For how long a process that was stopped while it kept a checkpoint may
    ///     hold others up.
    public init(_ path: String, turnMilliseconds: Int = 2_000) {
        (self.path, self.turnMilliseconds) = (path, turnMilliseconds)
    }

    /// Why nothing more could be kept here; nil if nothing is known to be in the way.
    ///
    /// Nothing is changed by looking.
    public var obstacle: String? {
        let folder = FilePath.existing(path)
        guard access(folder, W_OK | X_OK) == 0 else { return Self.obstacle(folder) }
        for file in File.allCases.map(path(of:)) where access(file, R_OK) != 0 && errno != ENOENT {
            return Self.obstacle(file)
        }
        // What is kept here is smaller than a write to a disk that counts as full.
        let free = Environment.availableDiskBytes(of: folder) ?? .max
        return free < EventLogError.fullDiskBytes ? Self.obstacle(folder, ENOSPC) : nil
    }

    private static func obstacle(_ path: String, _ number: Int32 = errno) -> String {
        let remedy = FilePath.remedy(path).map { "; \($0)" } ?? ""
        return "\(path): \(String(cString: strerror(number)))\(remedy)"
    }

    // MARK: - The key

    /// The key of the log; nil if there is none here.
    ///
    /// - Throws: ``CheckpointError`` `keyUnusable` if its file cannot be read, is not a key, or can
    ///   be read by others.
    func signer() throws(CheckpointError) -> NoteSigner? {
        guard let text = try contents(of: .key) else { return nil }
        guard text.hasSuffix("\n"), let signer = NoteSigner(text: String(text.dropLast())) else {
            throw CheckpointError(.keyUnusable, detail: "\(path(of: .key)) does not hold a key")
        }
        return signer
    }

    /// Keeps a new key, whole or not at all, unless there is one already.
    ///
    /// When it returns the key survives a power cut, whoever made it.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - seed: ``NoteSigner/seedBytes`` bytes that nobody can guess.
    /// - Returns: The key that is there now: this one, or that of whoever was faster.
    /// - Throws: ``CheckpointError`` `keyUnusable`.
    func makeSigner(named name: String, seed: [UInt8]) throws(CheckpointError) -> NoteSigner {
        guard let signer = NoteSigner(name: name, seed: seed) else {
            throw CheckpointError(.keyUnusable, detail: "\(name) cannot name one")
        }
        try makeFolder()
        // It says that no signature is missing yet, whenever the power fails.
        if try self.signer() == nil, try checkpoint() == nil, try checkpoints() == nil {
            try keep([])
        }
        let file = path(of: .key)
        try mapErrors(.keyUnusable) { () throws(SystemCallError) in
            try writeFile(Array("\(signer.text)\n".utf8), to: file, replaces: false)
        }
        guard let kept = try self.signer() else {
            throw CheckpointError(.keyUnusable, detail: "\(file) is gone")
        }
        return kept
    }

    // MARK: - The checkpoint

    /// The file of the last one.
    var checkpointPath: String { path(of: .checkpoint) }

    /// The last checkpoint that was kept here; nil if there is none.
    ///
    /// - Throws: ``CheckpointError`` `folder` if a file cannot be read or is not a note.
    func checkpoint() throws(CheckpointError) -> SignedNote? {
        guard let text = try contents(of: .checkpoint) else { return nil }
        guard let note = SignedNote(text) else {
            throw CheckpointError(.folder, detail: "\(checkpointPath) does not hold a checkpoint")
        }
        return note
    }

    /// Checkpoints that were kept here, in order; nil if there is no list of them, as beside a key
    /// that an earlier version made.
    ///
    /// A key that has not signed yet has an empty list next to it. What is not a note is
    /// passed over: the list only serves to find out where two histories part.
    ///
    /// - Throws: ``CheckpointError`` `folder` if the file cannot be read.
    func checkpoints() throws(CheckpointError) -> [SignedNote]? {
        let text = try contents(of: .checkpoints)
        // A note is a text, an empty line and a signature; an empty line separates two notes.
        let parts = text.map { $0.split(separator: "\n\n") }
        return parts.map { parts in
            stride(from: 0, to: parts.count - 1, by: 2).compactMap { index in
                let end = parts[index + 1].hasSuffix("\n") ? "" : "\n"
                return SignedNote("\(parts[index])\n\n\(parts[index + 1])\(end)")
            }
        }
    }

    /// Both, read once.
    struct KeptCheckpoints {
        /// The one that was kept last.
        let last: SignedNote?
        /// The list; nil if there is none.
        let earlier: [SignedNote]?

        /// What a key has signed of them; the greatest counts, in whichever file it stands.
        func heads(signedBy verifier: NoteVerifier?) -> [Checkpoint] {
            guard let verifier else { return [] }
            return ((earlier ?? []) + [last].compactMap(\.self))
                .compactMap { Checkpoint($0, signedBy: verifier) }
        }
    }

    /// The checkpoints that are kept here.
    ///
    /// - Throws: ``CheckpointError`` `folder` if a file cannot be read, or the last isn't a note.
    func keptCheckpoints() throws(CheckpointError) -> KeptCheckpoints {
        KeptCheckpoints(last: try checkpoint(), earlier: try checkpoints())
    }

    /// Keeps a checkpoint in the place of the one before, and in the list, durably.
    ///
    /// - Throws: ``CheckpointError`` `folder`.
    func keep(_ note: SignedNote) throws(CheckpointError) {
        var notes = try checkpoints() ?? []
        if notes.last == note, try checkpoint() == note { return }
        if notes.isEmpty { notes += try [checkpoint()].compactMap(\.self) }
        if notes.last != note { notes.append(note) }
        if notes.count > Self.checkpointLimit {
            let early = notes.prefix(Self.checkpointLimit / 2).enumerated()
            notes = early.compactMap { $0 % 2 == 0 ? $1 : nil } + notes.dropFirst(early.count)
        }
        try keep(notes)
        try write(note.content, to: .checkpoint)
    }

    private func keep(_ notes: [SignedNote]) throws(CheckpointError) {
        try write(notes.map(\.content).joined(separator: "\n"), to: .checkpoints)
    }

    private func write(_ text: String, to file: File) throws(CheckpointError) {
        try mapErrors(.folder) { () throws(SystemCallError) in
            try writeFile(Array(text.utf8), to: path(of: file))
        }
    }

    /// Runs `body` while nobody else who asks for a turn does, in this process or another.
    ///
    /// A process that was stopped in its turn holds nobody up for longer than that; where the file
    /// system has no locks, nobody waits.
    ///
    /// - Throws: ``CheckpointError`` `folder`, or what `body` throws.
    func inTurn(_ body: () throws(CheckpointError) -> Void) throws(CheckpointError) {
        try makeFolder()
        let folder = try mapErrors(.folder) { () throws(SystemCallError) in
            try OpenFile(path, O_RDONLY | O_DIRECTORY)
        }
        folder.lockInTurn(within: turnMilliseconds)
        defer { _ = folder.lock(LOCK_UN) }
        try body()
    }

    // MARK: - The store

    /// Where the store was when it was sealed last; nil if that is not known.
    ///
    /// - Throws: ``CheckpointError`` `folder` if there is a file that cannot be read.
    func place() throws(CheckpointError) -> StorePlace? {
        try contents(of: .place).flatMap { StorePlace(text: $0) }
    }

    /// Whether the log was sealed last in a directory: else that may hold a copy of it.
    ///
    /// - Throws: ``CheckpointError`` `folder` if there is a file that cannot be read.
    func isOfStore(in directory: String) throws(CheckpointError) -> Bool {
        guard let kept = try place() else { return false }
        return kept.path == StorePlace(of: directory)?.path
    }

    /// Keeps where the store is, unless that is known.
    ///
    /// - Throws: ``CheckpointError`` `folder`.
    func keepPlace(of directory: String) throws(CheckpointError) {
        guard let place = StorePlace(of: directory), try self.place() != place else { return }
        try write(place.text, to: .place)
    }

    /// How far the log was compared with its seals; nil if it never was.
    ///
    /// - Throws: ``CheckpointError`` `folder` if there is a file that cannot be read.
    func selfCheck() throws(CheckpointError) -> SelfCheck? {
        let text = try contents(of: .selfCheck)
        let parts = text.map { $0.split(whereSeparator: { $0 == " " || $0 == "\n" }) } ?? []
        guard parts.count == 5, let time = Int64(parts[0]), let verified = UInt64(parts[1]),
            let sealed = UInt64(parts[2]), let next = Position(parts[3])
        else { return nil }
        var check = SelfCheck(
            atMilliseconds: time, verifiedBlocks: verified, sealedBlocks: sealed)
        check.next = next < SealedBlock.limit ? next : 0
        check.damagePosition = Position(parts[4])
        return check
    }

    /// Keeps how far that is: time, blocks compared, blocks sealed, where to go on, and the first
    /// bad position, or `-`.
    ///
    /// - Throws: ``CheckpointError`` `folder`.
    func keep(_ check: SelfCheck) throws(CheckpointError) {
        let damage = check.damagePosition.map { "\($0)" } ?? "-"
        try write(
            "\(check.atMilliseconds) \(check.verifiedBlocks) \(check.sealedBlocks) \(check.next) "
                + "\(damage)\n", to: .selfCheck)
    }

    // MARK: - Files

    private func makeFolder() throws(CheckpointError) {
        try mapErrors(.folder) { () throws(SystemCallError) in try FilePath.makeDirectory(path) }
    }

    private func path(of file: File) -> String { "\(path)/\(file.rawValue)" }

    private func contents(of file: File) throws(CheckpointError) -> String? {
        let path = path(of: file)
        let found = try mapErrors(file == .key ? .keyUnusable : .folder) {
            () throws(SystemCallError) in
            try readFile(path, limit: Self.fileLimitBytes, O_NOFOLLOW)
        }
        guard let found else { return nil }
        guard file != .key || found.permissions & 0o077 == 0 else {
            throw CheckpointError(.keyUnusable, detail: "others can read \(path); chmod 600 it")
        }
        return String(validating: found.bytes, as: UTF8.self) ?? ""
    }
}

/// Runs a call of `Files`, and throws its error with the code of what could not be done.
private func mapErrors<Result: ~Copyable>(
    _ code: CheckpointError.Code, _ body: () throws(SystemCallError) -> Result
) throws(CheckpointError) -> Result {
    do throws(SystemCallError) {
        return try body()
    } catch {
        throw CheckpointError(code, detail: error.description)
    }
}
