internal import Files
internal import Glibc
internal import JSON
internal import Synchronization
package import Words

/// The phones of a store, in a file that only its owner can read: of secrets it has the hashes.
///
/// It is replaced whole, or on a full disk written over, and read again when it is another file:
/// servers and commands change it in turn, and what one has written holds for the next request to
/// any of them. A server looks at it before each request, on a thread of its own.
package final class PhoneFile: Sendable {
    private static let limitBytes = 64 << 10
    /// How long somebody waits for another's turn.
    private static let turnMilliseconds = 2_000

    private struct Known {
        var stamp: [Int]?
        var book = PhoneBook()
    }

    private let path: String
    private let known = Mutex(Known())

    /// Prepares the file, which is made with its first phone or code.
    ///
    /// - Parameter directory: The folder of the store.
    package init(inStore directory: String) {
        path = directory + "/phones"
    }

    /// What is in it; nothing if there is none.
    ///
    /// - Throws: `CommandFailure` if it cannot be read, or others can read it.
    package func book() throws(CommandFailure) -> PhoneBook {
        let (stamp, known) = (stamp, known.withLock { $0 })
        guard known.stamp != stamp else { return known.book }
        let book = try read()
        self.known.withLock { $0 = Known(stamp: stamp, book: book) }
        return book
    }

    /// What held when the file was looked at last, without a look at any disk.
    var admitted: PhoneBook { known.withLock { $0.book } }

    /// Looks at the file: from then on nobody is let in if it cannot be read.
    func look() {
        do throws(CommandFailure) {
            _ = try book()
        } catch {
            known.withLock { $0 = Known() }
        }
    }

    /// Changes the file, if it is changed by that.
    ///
    /// - Parameter body: Changes what is in it; nobody else does so meanwhile.
    /// - Returns: What `body` gives.
    /// - Throws: `CommandFailure`, or what `body` throws; then the file is as it was, or nobody
    ///   is let in: a full disk or a cut while phones were revoked there.
    package func change<Outcome>(
        _ body: (inout PhoneBook) throws -> Outcome
    ) throws -> Outcome {
        try inTurn {
            let before = try read()
            var book = before
            let outcome = try body(&book)
            if book != before {
                try write(book, isFewer: book.phones.count < before.phones.count)
            }
            return outcome
        }
    }

    /// Lets no phone in any longer, even if the file cannot be read or written.
    ///
    /// - Throws: `CommandFailure` if another program changes it, or it cannot be removed.
    package func revokeAll() throws {
        try inTurn {
            do throws(CommandFailure) {
                var book = try read()
                if book.phones.isEmpty, book.code == nil { return }
                (book.phones, book.code) = ([], nil)
                try write(book, isFewer: true)
            } catch {
                try namingSecrets(path) { () throws(SystemCallError) in
                    try SystemCallError.check(unlink(path), "unlink", path)
                    try FilePath.synchronize(FilePath.parent(of: path))
                }
            }
        }
    }

    private func inTurn<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        let turn = try namingSecrets(path) { () throws(SystemCallError) in
            try OpenFile(path + ".lock", O_RDWR | O_CREAT)
        }
        // Without its turn it could bring back what another one has ended.
        guard turn.lockInTurn(within: Self.turnMilliseconds) else {
            throw CommandFailure(ofSecrets: path, "another program is changing it; try again")
        }
        defer { _ = turn.lock(LOCK_UN) }
        return try body()
    }

    /// Replaces the file; where the disk has no room for another, one of fewer phones is written in
    /// its place: a phone can be revoked there as well, and nobody is let in by half a file.
    private func write(_ book: PhoneBook, isFewer: Bool) throws(CommandFailure) {
        try namingSecrets(path) { () throws(SystemCallError) in
            do throws(SystemCallError) {
                try writeFile(book.jsonLine, to: path)
            } catch {
                guard isFewer, error.isDiskFull else { throw error }
                let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW)
                try file.replaceContent(book.jsonLine)
                try file.synchronize()
            }
        }
    }

    /// Notes that a server ends.
    package func end(listeningAt address: String) {
        do {
            try change { if $0.address == address { ($0.address, $0.code) = (nil, nil) } }
        } catch {
            return  // Its address leads nowhere any longer.
        }
    }

    /// Which file it is, and as of when; nil if there is none.
    private var stamp: [Int]? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return [
            Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec,
        ]
    }

    private func read() throws(CommandFailure) -> PhoneBook {
        guard let bytes = try readSecrets(path, limit: Self.limitBytes) else { return PhoneBook() }
        guard let book = PhoneBook(decodingJSON: bytes) else {
            throw CommandFailure(
                ofSecrets: path, "it does not hold phones; delete it, and pair them again")
        }
        return book
    }
}
