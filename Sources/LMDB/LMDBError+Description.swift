internal import Glibc

extension LMDBError: CustomStringConvertible {
    /// What happened and what to do about it, in one line.
    public var description: String {
        var sentences = ["\(libraryText)."]
        if !detail.isEmpty { sentences.append("\(detail).") }
        if let advice { sentences.append(advice) }
        return sentences.joined(separator: " ")
    }

    /// What a person can do, or nil if the library's text says all there is.
    private var advice: String? {
        switch code {
        case .keyExists: "Keys are added in ascending order and never replaced this way."
        case .databaseMissing: "Open the environment read-write once to create the database."
        case .corrupted, .damagedMetaPages, .truncated:
            "The data file is damaged: copy it, and restore the last backup."
        case .commitInDoubt:
            "The next commit of a program that writes here repairs one that failed: try again. "
                + "Otherwise copy the directory first; then `mdb_copy -c` recovers what was "
                + "written before it, or restore the last backup."
        case .panic, .needsReopening:
            "Close the environment, open it again and verify the end of what was written."
        case .versionMismatch: "Use the version of LMDB that wrote the file."
        case .invalidFile: "Check the path: this is not a database, or its start is damaged."
        case .environmentMissing: "Check the path, or open it read-write to create a database."
        case .mapFull: "Grow the map and try again."
        case .mapResized: "Another process grew the map: begin again."
        case .processNumberTaken: "Start one of the two in a way that gives it another number."
        case .readersFull: "Other programs hold all of them: end some, then try again."
        case .transactionFull: "Write less in one transaction."
        case .badTransaction: "An earlier call in the transaction failed: begin a new one."
        case .badValueSize: "Keys hold 1 to 511 bytes."
        case .alreadyOpen: "Use the environment that is open: a second one loses the lock."
        case .remoteFileSystem: "Move the directory to a local disk."
        case .transactionsLive: "End every transaction of this process, then try again."
        case .system(let number): Self.advice(forSystemError: number)
        case .other: nil
        }
    }

    private static func advice(forSystemError number: Int32) -> String? {
        switch number {
        case EIO: "The disk may be full or failing: check free space, then the system log."
        case ENOSPC, EDQUOT: "Free some space on the disk."
        case EACCES, EPERM: "Check who owns the directory and its files, and their permissions."
        case EROFS: "The file system is mounted read-only."
        case ENOENT: "Check the path."
        case ENAMETOOLONG, ELOOP: "Use a shorter path, or repair its symbolic links."
        case ENOMEM: "The map may be larger than the address space that is left."
        default: nil
        }
    }
}
