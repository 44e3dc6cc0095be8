internal import Glibc
internal import Synchronization

/// The right to be the one recorder of a store, held until it is released or the process ends.
///
/// Others may read and append meanwhile; they do not record. The lock is `flock` on `recorder.lock`
/// in the store's directory, which exists already.
public final class RecorderLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - directory: The path of the store.
    ///   - startText: When this recorder started, in words for people: one line, which a refused
    ///     recorder is told.
    /// - Throws: ``RecorderLockError``: `held`, with the holder's process, or `unavailable`.
    public init(directory: String, startText: String) throws(RecorderLockError) {
        let path = directory + "/recorder.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw RecorderLockError(number: errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            defer { close(descriptor) }
            guard number == EWOULDBLOCK else { throw RecorderLockError(number: number, path: path) }
            throw RecorderLockError(heldIn: path, text: Self.text(of: descriptor))
        }
        let line = startText.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard Self.write("\(getpid())\n\(line)\n", to: descriptor) else {
            let number = errno
            close(descriptor)
            throw RecorderLockError(number: number, path: path)
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Gives the lock back, once; the file stays.
    public func release() {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        // The next holder shall not be taken for this one.
        ftruncate(descriptor, 0)
        // Said aloud: a process that is being started may hold a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return ftruncate(descriptor, 0) == 0
            && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// Why a process cannot be the recorder of a store.
public struct RecorderLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Code: Hashable, Sendable {
        /// Another process is the recorder; its number is missing if it has only just begun.
        case held(processID: Int32?)
        /// The lock's file cannot be made or locked.
        case unavailable
    }

    /// What happened.
    public let code: Code
    /// When the holder started, in its own words; or the system's words.
    public let detail: String
    /// The path of the lock's file.
    public let path: String

    init(number: Int32, path: String) {
        code = .unavailable
        detail = String(cString: strerror(number))
        self.path = path
    }

    init(heldIn path: String, text: String) {
        let lines = text.split(separator: "\n")
        code = .held(processID: lines.first.flatMap { Int32($0) })
        detail = lines.dropFirst().first.map(String.init) ?? ""
        self.path = path
    }

    /// What happened and what to do.
    public var description: String {
        switch code {
        case .held(let processID):
            let holder = processID.map { "process \($0)" } ?? "another process"
            let start = detail.isEmpty ? "" : ", started \(detail)"
            return "The store is being recorded to by \(holder)\(start). Stop that recorder, or "
                + "choose another store with --store."
        case .unavailable:
            return "The lock \(path) cannot be taken (\(detail)). Check who owns the store, "
                + "and that its disk has room."
        }
    }
}
