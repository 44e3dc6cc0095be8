/// What LMDB keeps of one tree: where it begins, and what a walk of it must find.
///
/// The layout is that of `MDB_db` in LMDB 0.9, `mdb.c`, on a 64-bit machine.
struct TreeRecord: Equatable {
    static let byteCount = 48

    let flags: UInt16
    let depth: Int
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    let entries: UInt64
    /// The first page; nil if the tree is empty.
    let root: UInt64?

    init(_ bytes: FileBytes, at offset: Int) {
        flags = bytes.load(offset + 4, UInt16.self)
        depth = Int(bytes.load(offset + 6, UInt16.self))
        branchPages = bytes.load(offset + 8, UInt64.self)
        leafPages = bytes.load(offset + 16, UInt64.self)
        overflowPages = bytes.load(offset + 24, UInt64.self)
        entries = bytes.load(offset + 32, UInt64.self)
        let root = bytes.load(offset + 40, UInt64.self)
        self.root = root == .max ? nil : root
    }
}
