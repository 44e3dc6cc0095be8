internal import Text

/// What the store's folder looks like.
package enum StoreFinding: Hashable, Sendable {
    /// There is none yet, and one can be made.
    case missing
    /// There is none yet, and none can be made in the nearest folder that exists.
    case cannotBeMade(parent: String)
    /// The folder cannot be looked at, in the system's words.
    case inaccessible(String)
    /// It can be read but not written.
    case readOnly
    /// It can be read and written.
    case sound(events: UInt64, bytes: UInt64)
    /// It cannot be opened: what the log says of it, and what to do.
    case unusable(String, advice: String)
}

/// Whether the log can be signed on this machine.
package enum SignatureFinding: Sendable {
    /// Nothing is there yet to be signed.
    case nothing
    /// It is signed up to a position, or will be; and how many of the sealed blocks were compared
    /// with their seals again, if any were.
    case possible(
        signedEvents: UInt64, folder: String, verified: (blocks: UInt64, of: UInt64)? = nil)
    /// It is known to be bad from a position on.
    case damaged(from: UInt64)
    /// The environment names no place for a key.
    case noPlace
    /// Key and checkpoint cannot be kept: a path, and the system's words.
    case unwritable(String)
    /// Something is in the way, in the words of the checkpoint.
    case impossible(String)
}

extension Diagnosis {
    /// Judges whether the log can be signed.
    ///
    /// - Parameter finding: What was found.
    /// - Returns: A warning if it cannot: recording still works.
    package static func signature(_ finding: SignatureFinding) -> Diagnosis {
        switch finding {
        case .nothing: ok(.signature, "There is nothing yet to be signed.")
        case .possible(0, let folder, _):
            ok(
                .signature,
                "The log is signed when the next recording ends; its key will be in "
                    + "\(printable(folder, limit: 200)).")
        case .possible(let events, let folder, let verified):
            ok(
                .signature,
                "The first \(grouped(events)) events are signed; the key is in "
                    + "\(printable(folder, limit: 200))."
                    + (verified.map {
                        " Of \(counted($0.of, "sealed block")) \(grouped($0.blocks)) were compared "
                            + "with their seals again."
                    } ?? ""))
        case .damaged(let position):
            problem(
                .signature,
                "The log is known to be bad from position \(position) on, and is not signed.",
                "`pulselog log verify` says why; leave the store as it is.")
        case .noPlace:
            warning(
                .signature, "HOME is not set, so there is no folder for the key of the log.",
                "Set HOME or XDG_STATE_HOME; until then nothing is signed.")
        case .unwritable(let reason):
            warning(
                .signature,
                "The log cannot be signed: its checkpoint cannot be kept outside of the store: "
                    + "\(printable(reason, limit: 400)).",
                "Change its owner or its permissions, or name another with XDG_STATE_HOME.")
        case .impossible(let reason):
            warning(
                .signature, "The log cannot be signed: \(printable(reason, limit: 400))",
                "Recording still works. `pulselog log verify` checks all of it.")
        }
    }

    /// Judges the store.
    ///
    /// - Parameters:
    ///   - finding: What was found.
    ///   - directory: The store's folder.
    /// - Returns: A problem if nothing could be recorded in it.
    package static func store(_ finding: StoreFinding, in directory: String) -> Diagnosis {
        let place = printable(directory, limit: 200)
        switch finding {
        case .missing:
            return ok(.store, "There is no store yet; `pulselog record` creates \(place).")
        case .cannotBeMade(let parent):
            return problem(
                .store, "There is no store yet, and none can be created in \(printable(parent)).",
                "Choose a folder of your own with --store.")
        case .inaccessible(let reason):
            return problem(
                .store, "The store \(place) cannot be accessed: \(reason).",
                "Check the path, or choose another with --store.")
        case .readOnly:
            return problem(
                .store, "The store \(place) can be read but not written.",
                "Change its owner or its permissions, or choose another with --store.")
        case .sound(let events, let bytes):
            return ok(
                .store,
                "The store \(place) holds \(grouped(events)) events in "
                    + "\(grouped(bytes / 1_000)) kB; its end is sound.")
        case .unusable(let reason, let advice):
            return problem(
                .store,
                "The store \(place) cannot be opened: \(printable(reason, limit: 400)).",
                advice)
        }
    }
}
