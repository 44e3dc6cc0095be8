public import EventStore
public import Events
internal import Files
internal import Glibc

/// Where the folder of a store is: what tells a log from a copy of it that somebody made with other
/// means than ours.
///
/// The place in which a log was sealed last is kept outside of it. A folder elsewhere is a copy if
/// the folder at that place still holds the same log. If it does not, because it was moved, renamed
/// or deleted, or if the folder stands at that place, it is the same log.
struct StorePlace: Equatable {
    private let folder: FileIdentity
    /// The absolute path, without symbolic links.
    let path: String

    /// Looks at a folder; nil if there is none.
    init?(of directory: String) {
        guard let folder = FilePath.identity(directory),
            let path = FilePath.resolved(directory)
        else { return nil }
        (self.folder, self.path) = (folder, path)
    }

    /// Reads a place as it is kept: device and inode in a line, then the path.
    init?(text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1)
        let numbers = parts.first?.split(separator: " ").compactMap { UInt64($0) } ?? []
        guard parts.count == 2, numbers.count == 2, parts[1].hasSuffix("\n") else { return nil }
        folder = FileIdentity(device: numbers[0], inode: numbers[1])
        path = String(parts[1].dropLast())
    }

    /// The place as it is kept.
    var text: String { "\(folder.device) \(folder.inode)\n\(path)\n" }

    /// Whether a folder in this place is a copy of a log in another.
    ///
    /// - Parameters:
    ///   - kept: The place in which the log was sealed last.
    ///   - id: The identity of the log.
    /// - Returns: Whether it is.
    func isCopy(ofLogAt kept: StorePlace, _ id: [UInt8]) -> Bool {
        guard path != kept.path, folder != kept.folder, let there = StorePlace(of: kept.path),
            folder != there.folder, access("\(kept.path)/data.mdb", F_OK) == 0
        else { return false }
        do throws(EventLogError) {
            return try IdentityFile(in: kept.path).id() == id
        } catch {
            return false
        }
    }
}

extension LMDBEventLog {
    /// Where the log is of which this one is a copy; nil if this is the log itself, as far as is
    /// known outside of it.
    ///
    /// - Parameter folder: Where the key and the last checkpoint of the log are kept.
    /// - Returns: The path of the original, which exists. Of a folder outside that cannot be read
    ///   nobody knows.
    public func original(in folder: CheckpointFolder) -> String? {
        do throws(CheckpointError) {
            guard let kept = try folder.place(), let own = StorePlace(of: directory) else {
                return nil
            }
            return own.isCopy(ofLogAt: kept, id) ? kept.path : nil
        } catch {
            return nil
        }
    }

    /// Makes a log of its own of one that is a copy: another identity, and a new origin after its
    /// last event.
    ///
    /// Nothing of the original changes, nor of what is kept of it outside. After a power cut the
    /// folder holds the copy as it was, or the new log.
    ///
    /// - Parameters:
    ///   - directory: The path of the store, which this process has not opened.
    ///   - id: The identity that it shares with the original. If it has another one, another
    ///     process was faster, and nothing is done.
    ///   - end: Where the log ends, with all that the new origin was made of.
    ///   - origin: What the new log is and begins with.
    /// - Throws: ``EventLogError``; `wrongExpectedPosition` if the log no longer ends there.
    public static func beginAnew(
        in directory: String, insteadOf id: [UInt8], at end: Position, _ origin: LogOrigin
    ) throws(EventLogError) {
        let settings = StoreSettings()
        var known: LogIdentity?
        var present = origin.id
        do throws(EventLogError) {
            try mapErrors(in: directory) {
                let (environment, identity) = try settings.open(directory)
                known = identity
                // Without the file either identity is right, whenever the power fails.
                try IdentityFile(in: directory).remove()
                present = try StoreSettings.begin(
                    origin, insteadOf: (id, end), environment, directory)
            }
        } catch {
            if let known, [.storage, .diskFull].contains(error.code) {
                settings.mend(directory, of: known)
            }
            throw error
        }
        // A process that opened it since may have written the old name.
        try IdentityFile(in: directory).write(present)
        _ = try settings.open(directory)
    }
}
