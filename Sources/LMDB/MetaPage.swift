internal import CLMDB

/// One of the two pages that the trees of a data file begin at.
///
/// The layout is that of `MDB_page` and `MDB_meta` in LMDB 0.9, `mdb.c`, on a 64-bit machine.
struct MetaPage: Equatable {
    /// What is read of the page: `offsetof(MDB_page, mp_ptrs)` and `sizeof(MDB_meta)`.
    static let byteCount = 16 + 136
    static let pageSizes = (9...15).map { 1 << $0 }

    /// Why some bytes are no meta page.
    enum Flaw: Error, Equatable {
        /// The disk does not give them.
        case unreadable(LMDBError)
        /// They do not even begin as one.
        case unrecognized
        /// Another version of LMDB wrote them.
        case version
        /// A field is impossible.
        case field(String)
    }

    let pageSizeBytes: Int
    let mapSizeBytes: Int
    let lastPageNumber: UInt64
    let transactionID: UInt64
    let freeList: TreeRecord
    let main: TreeRecord

    /// The first pages of both trees.
    var roots: [UInt64] { [freeList.root, main.root].compactMap(\.self) }

    init(_ page: FileBytes) throws(Flaw) {
        // mp_flags with P_META, mm_magic, mm_version
        guard page.load(10, UInt16.self) & 0x08 != 0, page.load(16, UInt32.self) == 0xBEEF_C0DE
        else { throw .unrecognized }
        guard page.load(20, UInt32.self) == 1 else { throw .version }
        pageSizeBytes = Int(page.load(40, UInt32.self))  // mm_psize
        guard Self.pageSizes.contains(pageSizeBytes) else {
            throw .field("a page size of \(pageSizeBytes) bytes is not possible")
        }
        let mapSize = page.load(32, UInt64.self)  // mm_mapsize
        lastPageNumber = page.load(136, UInt64.self)  // mm_last_pg
        guard mapSize <= UInt64(Int.max), lastPageNumber >= 1,
            lastPageNumber < mapSize / UInt64(pageSizeBytes)
        else {
            throw .field("page \(lastPageNumber) lies outside a map of \(mapSize) bytes")
        }
        mapSizeBytes = Int(mapSize)
        freeList = TreeRecord(page, at: 40)
        main = TreeRecord(page, at: 88)
        // MDB_INTEGERKEY for the free list, and no sorted duplicates anywhere.
        guard freeList.flags == 0x08, main.flags == 0 else {
            throw .field("its trees have the flags \(freeList.flags) and \(main.flags)")
        }
        transactionID = page.load(144, UInt64.self)  // mm_txnid
        guard transactionID < UInt64(Int.max) else {
            throw .field("there never was a commit \(transactionID)")
        }
    }
}
