internal import Files
internal import Glibc
internal import Synchronization

/// The right to be the one recorder of a store, held until it is released or the process ends.
///
/// Others may read and append meanwhile; they do not record. The lock is `flock` on `recorder.lock`
/// in the store's directory, which already exists. The kernel alone knows who holds it; the text in
/// the file says who that is, and means nothing once nobody holds it.
public final class RecorderLock: Sendable {
    /// How long somebody who only looks may keep a recorder from its lock: it takes microseconds.
    private static let probeTimeout = Duration.seconds(1)

    private let file: Mutex<OpenFile?>
    private let path: String

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - directory: The path of the store.
    ///   - startText: When this recorder started, in words for people: one line, which a refused
    ///     recorder is told.
    ///   - command: What this process runs.
    /// - Throws: ``RecorderLockError``: `held`, with the holder, or `unavailable`.
    public init(
        directory: String, startText: String, command: RecorderHolder.Command = .record
    ) throws(RecorderLockError) {
        let path = Self.path(in: directory)
        let file = try Self.take(path)
        let line = startText.split(whereSeparator: \.isNewline).joined(separator: " ")
        do throws(SystemCallError) {
            try file.replaceContent(Array("\(getpid())\n\(line)\n\(command.rawValue)\n".utf8))
        } catch {
            throw RecorderLockError(error, path: path)
        }
        self.file = Mutex(file)
        self.path = path
    }

    deinit {
        release()
    }

    /// Gives the lock back, once; the file stays.
    public func release() {
        guard let file = file.withLock({ $0.take() }) else { return }
        // The next holder shall not be taken for this one.
        ftruncate(file.descriptor, 0)
        // Explicitly: a process that is being started may hold a copy of the descriptor.
        _ = file.lock(LOCK_UN)
    }

    /// Whether the lock's file was removed or replaced, so that another process can take the name.
    public var isLost: Bool {
        file.withLock { file in
            switch file {
            case .some(let file): !file.hasItsName
            case nil: false
            }
        }
    }

    /// Whether a process records to a store now, as the kernel says: see ``holder(in:)``.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: Whether one does; false as well if the file may not be read.
    public static func isHeld(in directory: String) -> Bool { holder(in: directory) != nil }

    /// The process that records to a store now, as the kernel says.
    ///
    /// Looking turns away no recorder that starts at this moment, and no file that lies there under
    /// the lock's name keeps it waiting.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: The process; nil if there isn't one, or the file may not be read.
    public static func holder(in directory: String) -> RecorderHolder? {
        do throws(SystemCallError) {
            let file = try OpenFile(path(in: directory), O_RDONLY | O_NOFOLLOW)
            guard file.regularByteCount != nil else { return nil }
            guard file.lock(LOCK_SH) else {
                return errno == EWOULDBLOCK ? RecorderHolder(text: text(of: file)) : nil
            }
            _ = file.lock(LOCK_UN)
            return nil
        } catch {
            return nil
        }
    }

    // MARK: - Asking for it

    /// Asks whoever holds the lock and records nothing to give it back, as long as the result is
    /// kept: a lock on the folder itself, which ends with the process that asks.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: What keeps asking; nil if another process asks already.
    public static func request(in directory: String) -> RecorderRequest? {
        do throws(SystemCallError) {
            let folder = try OpenFile(directory, O_RDONLY | O_DIRECTORY)
            return folder.lock(LOCK_EX) ? RecorderRequest(folder) : nil
        } catch {
            return nil
        }
    }

    /// Whether another process asks for the lock of a store.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: Whether one does; false as well if the folder may not be read.
    public static func isRequested(in directory: String) -> Bool {
        do throws(SystemCallError) {
            let folder = try OpenFile(directory, O_RDONLY | O_DIRECTORY)
            return !folder.lock(LOCK_SH) && errno == EWOULDBLOCK
        } catch {
            return false
        }
    }

    // MARK: - The file

    private static func path(in directory: String) -> String { directory + "/recorder.lock" }

    /// Opens the file and locks it; it has its name then.
    private static func take(_ path: String) throws(RecorderLockError) -> OpenFile {
        while true {
            let file: OpenFile
            do throws(SystemCallError) {
                file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
            } catch {
                throw RecorderLockError(error, path: path)
            }
            guard file.regularByteCount != nil else {
                throw RecorderLockError(code: .unavailable("it is not a regular file"), path: path)
            }
            try lock(file)
            if file.hasItsName { return file }
        }
    }

    /// Locks the file, unless a recorder has: whoever only looks shares the lock for a moment.
    private static func lock(_ file: borrowing OpenFile) throws(RecorderLockError) {
        let deadline = ContinuousClock.now + probeTimeout
        while !file.lock(LOCK_EX) {
            guard errno == EWOULDBLOCK else {
                throw RecorderLockError(SystemCallError("flock"), path: file.path)
            }
            guard file.lock(LOCK_SH) else {
                throw RecorderLockError(
                    code: .held(RecorderHolder(text: text(of: file))), path: file.path)
            }
            _ = file.lock(LOCK_UN)
            guard ContinuousClock.now < deadline else {
                throw RecorderLockError(code: .held(RecorderHolder(text: "")), path: file.path)
            }
            usleep(1_000)
        }
    }

    /// The beginning of the text in the file.
    private static func text(of file: borrowing OpenFile) -> String {
        guard let count = file.regularByteCount else { return "" }
        let bytes = file.bytes(from: 0, count: min(count, 512)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Asks for the lock of a recorder that records nothing, until it goes.
public final class RecorderRequest: Sendable {
    private let folder: OpenFile

    fileprivate init(_ folder: consuming OpenFile) { self.folder = folder }
}

/// Why a process cannot be the recorder of a store.
public struct RecorderLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Code: Hashable, Sendable {
        /// Another process is the recorder.
        case held(RecorderHolder)
        /// The lock's file cannot be made or locked, in the system's words.
        case unavailable(String)
    }

    /// What happened.
    public let code: Code
    /// The path of the lock's file.
    public let path: String

    /// What happened and what to do.
    public var description: String {
        switch code {
        case .held(let holder):
            return "The store is in use by \(holder). End that, or choose another store with "
                + "--store."
        case .unavailable(let detail):
            return "The lock \(path) cannot be taken (\(detail)). Check who owns the store, "
                + "that its disk has room, and that nothing else there has this name."
        }
    }
}

extension RecorderLockError {
    init(_ error: SystemCallError, path: String) {
        self.init(code: .unavailable(String(cString: strerror(error.number))), path: path)
    }
}
