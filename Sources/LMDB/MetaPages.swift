internal import CLMDB
internal import Files
internal import Glibc

/// Both meta pages of a data file, which LMDB writes in turn: commit N writes page N mod 2.
///
/// LMDB takes the one with the greater number. Were a damaged number enough to make the older page
/// win, the last commit would be gone without a word; so the numbers must follow each other.
struct MetaPages: Equatable {
    private let pages: [MetaPage]

    /// Reads the meta pages, also while a writer of another process commits.
    ///
    /// - Throws: ``LMDBError`` with `invalidFile` or `versionMismatch` if neither page is one,
    ///   `damagedMetaPages` if one is and the other does not fit it, or the system's error.
    init(_ file: DataFile) throws(LMDBError) {
        // A commit between two reads looks like damage; it does not look the same twice.
        var reading = Self.read(file)
        while true {
            let again = Self.read(file)
            if again == reading { break }
            reading = again
        }
        self = try reading.get()
    }

    /// Reads the meta pages of the data file at a path, and changes nothing.
    ///
    /// - Returns: Nil if there is no file, or an empty one.
    /// - Throws: ``LMDBError`` with `invalidFile` if it is not a regular file, and as
    ///   ``init(_:)``.
    static func inspect(path: String) throws(LMDBError) -> MetaPages? {
        do throws(LMDBError) {
            let file = try FileSystem.open(dataFile: path)
            guard file.regularByteCount != 0 else { return nil }
            return try MetaPages(DataFile(descriptor: file.descriptor, path: path))
        } catch {
            guard error.code == .system(ENOENT) else { throw error }
            return nil
        }
    }

    /// The page of the last commit.
    private var last: MetaPage {
        pages[0].transactionID > pages[1].transactionID ? pages[0] : pages[1]
    }

    /// The number of the last commit.
    var lastTransactionID: UInt64 { last.transactionID }

    /// The size of the map that the last commit has stored, and what the pages in use take of it.
    var mapSizeBytes: (stored: Int, used: Int) {
        (last.mapSizeBytes, (Int(last.lastPageNumber) + 1) * last.pageSizeBytes)
    }

    /// The page of a commit, and the page of the commit before it.
    ///
    /// - Returns: Nil if later commits have taken its place. The page before is missing if the
    ///   next commit has taken its place, or if there was none.
    func page(of transactionID: UInt64) -> (page: MetaPage, before: MetaPage?)? {
        let index = Int(transactionID & 1)
        let page = pages[index]
        let other = pages[1 - index]
        guard page.transactionID == transactionID else { return nil }
        return (page, other.transactionID < transactionID ? other : nil)
    }

    // MARK: - Reading

    private static func read(_ file: DataFile) -> Result<MetaPages, LMDBError> {
        Result { () throws(LMDBError) in
            let pages = try pages(file)
            try checkSteps(pages, file.path)
            return MetaPages(pages: pages)
        }
    }

    private init(pages: [MetaPage]) {
        self.pages = pages
    }

    private static func pages(_ file: DataFile) throws(LMDBError) -> [MetaPage] {
        let (found, path) = (found(file), file.path)
        var pages: [MetaPage] = []
        for (index, page) in found.enumerated() {
            switch page {
            case .success(let page): pages.append(page)
            case .failure(.unreadable(let error)): throw error
            case .failure(.version) where found.count == 1:
                throw LMDBError(result: MDB_VERSION_MISMATCH, call: "inspect", detail: path)
            case .failure(.unrecognized) where found.count == 1:
                throw LMDBError(.invalidFile, dataFile: path, "\(MetaPage.Flaw.unrecognized)")
            case .failure(let flaw):
                throw LMDBError(.damagedMetaPages, dataFile: path, "meta page \(index): \(flaw)")
            }
        }
        return pages
    }

    /// What there is of both pages, however damaged; the first alone if no second can be found.
    static func found(_ file: DataFile) -> [Result<MetaPage, MetaPage.Flaw>] {
        let first = page(file, at: 0)
        if case .success(let page) = first {
            return [first, self.page(file, at: page.pageSizeBytes)]
        }
        // The size of a page is the one that the other page says of itself.
        for size in MetaPage.pageSizes {
            let second = page(file, at: size)
            if case .success(let page) = second, page.pageSizeBytes == size {
                return [first, second]
            }
        }
        return [first]
    }

    private static func page(
        _ file: DataFile, at offset: Int
    ) -> Result<MetaPage, MetaPage.Flaw> {
        let bytes: FileBytes?
        do throws(LMDBError) {
            bytes = try file.bytes(at: offset, count: MetaPage.byteCount)
        } catch {
            return .failure(.unreadable(error))
        }
        guard let bytes else { return .failure(.unrecognized) }
        return Result { () throws(MetaPage.Flaw) in try MetaPage(bytes) }
    }

    /// Throws unless one page is of the commit after the other's, each in its place.
    private static func checkSteps(_ pages: [MetaPage], _ path: String) throws(LMDBError) {
        guard pages[0].pageSizeBytes == pages[1].pageSizeBytes else {
            throw LMDBError(
                .damagedMetaPages, dataFile: path, "the meta pages name different page sizes")
        }
        let (even, odd) = (pages[0].transactionID, pages[1].transactionID)
        if even == 0, odd == 0 { return }  // Nothing was ever committed.
        guard even & 1 == 0, odd & 1 == 1, even &+ 1 == odd || odd &+ 1 == even else {
            throw LMDBError(
                .damagedMetaPages, dataFile: path,
                "its meta pages are of the commits \(even) and \(odd), which do not follow each "
                    + "other: the last commit may be missing")
        }
    }
}

extension MetaPage.Flaw: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .unrecognized: "it does not begin as one"
        case .version: "another version of LMDB wrote it"
        case .field(let reason): reason
        }
    }
}

extension Result {
    /// What it is, unless it is a failure.
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}
