internal import Glibc
internal import Synchronization

/// The right to be the one recorder of a store, held until it is released or the process ends.
///
/// Others may read and append meanwhile; they do not record. The lock is `flock` on `recorder.lock`
/// in the store's directory, which already exists. The kernel alone knows who holds it; the text in
/// the file says who that is and what it may lose, and means nothing once nobody holds it.
public final class RecorderLock: Sendable {
    /// How long somebody who only looks may keep a recorder from its lock: it takes microseconds.
    private static let lookLimit = Duration.seconds(1)

    private let descriptor: Mutex<Int32?>
    private let path: String

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - directory: The path of the store.
    ///   - startText: When this recorder started, in words for people: one line, which a refused
    ///     recorder is told.
    ///   - commitIntervalMilliseconds: For how long this recorder keeps readings before it commits
    ///     them; nil if for no time at all.
    /// - Throws: ``RecorderLockError``: `held`, with the holder's process, or `unavailable`.
    public init(
        directory: String, startText: String, commitIntervalMilliseconds: UInt64? = nil
    ) throws(RecorderLockError) {
        let path = Self.path(in: directory)
        let descriptor = try Self.take(path)
        let line = startText.split(whereSeparator: \.isNewline).joined(separator: " ")
        let interval = commitIntervalMilliseconds.map { "\(Self.intervalWords)\($0)\n" } ?? ""
        guard Self.write("\(getpid())\n\(line)\n\(interval)", to: descriptor) else {
            let number = errno
            close(descriptor)
            throw RecorderLockError(number: number, path: path)
        }
        self.descriptor = Mutex(descriptor)
        self.path = path
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

    /// Whether the lock's file was removed or replaced, so that another process can take the name.
    public var isLost: Bool {
        descriptor.withLock { descriptor in
            descriptor.map { !Self.isSame($0, path) } ?? false
        }
    }

    /// Whether a process records to a store now, as the kernel says.
    ///
    /// Looking turns away no recorder that starts at this moment, and no file that lies there under
    /// the lock's name keeps it waiting.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: Whether one does; false as well if the file may not be read.
    public static func isHeld(in directory: String) -> Bool {
        let descriptor = open(path(in: directory), O_RDONLY | openFlags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard isRegular(descriptor) else { return false }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// For how long the process that records to a store keeps readings before it commits them.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: Milliseconds; nil if for no time at all, if nobody records, or if the file may
    ///   not be read.
    public static func commitIntervalMilliseconds(in directory: String) -> UInt64? {
        guard isHeld(in: directory) else { return nil }
        let descriptor = open(path(in: directory), O_RDONLY | openFlags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard isRegular(descriptor) else { return nil }
        let lines = text(of: descriptor).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 2, lines[2].hasPrefix(intervalWords) else { return nil }
        return UInt64(lines[2].dropFirst(intervalWords.count))
    }

    // MARK: - The file

    private static let intervalWords = "commits every so many milliseconds: "

    private static let openFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    private static func path(in directory: String) -> String { directory + "/recorder.lock" }

    /// Opens the file and locks it; it has its name then.
    private static func take(_ path: String) throws(RecorderLockError) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | openFlags, 0o600)
            guard descriptor >= 0 else { throw RecorderLockError(number: errno, path: path) }
            do throws(RecorderLockError) {
                guard isRegular(descriptor) else {
                    throw RecorderLockError(path: path, detail: "it is not a regular file")
                }
                try lock(descriptor, path)
                if isSame(descriptor, path) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
    }

    /// Locks the file, unless a recorder has: who only looks shares the lock for a moment.
    private static func lock(_ descriptor: Int32, _ path: String) throws(RecorderLockError) {
        let deadline = ContinuousClock.now + lookLimit
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { throw RecorderLockError(number: errno, path: path) }
            guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
                throw RecorderLockError(heldIn: path, text: text(of: descriptor))
            }
            flock(descriptor, LOCK_UN)
            guard ContinuousClock.now < deadline else {
                throw RecorderLockError(heldIn: path, text: "")
            }
            sched_yield()
        }
    }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether the file that is open has the name.
    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
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
        self.init(path: path, detail: String(cString: strerror(number)))
    }

    init(path: String, detail: String) {
        code = .unavailable
        self.detail = detail
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
                + "that its disk has room, and that nothing else lies there under this name."
        }
    }
}
