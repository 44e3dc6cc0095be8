internal import CLMDB

/// One of the two pages that the trees of a data file begin at.
///
/// The layout is that of `MDB_page` and `MDB_meta` in LMDB 0.9, `mdb.c`, on a 64-bit machine.
struct MetaPage: Equatable {
    /// What is read of the page: `offsetof(MDB_page, mp_ptrs)` and `sizeof(MDB_meta)`.
    static let byteCount = 16 + 136
    static let pageSizes = (9...15).map { 1 << $0 }
    /// The size of the pages of new files.
    static let newPageSizeBytes = 4_096

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
        // MDB_INTEGERKEY for the free list, with MDB_NOSUBDIR in a file of `mdb_copy -n`, and no
        // sorted duplicates anywhere.
        guard freeList.flags & ~0x4000 == 0x08, main.flags == 0 else {
            throw .field("its trees have the flags \(freeList.flags) and \(main.flags)")
        }
        transactionID = page.load(144, UInt64.self)  // mm_txnid
        guard transactionID < UInt64(Int.max) else {
            throw .field("there never was a commit \(transactionID)")
        }
    }
}

extension MetaPage {
    /// Both meta pages of a file without a commit, as LMDB makes them where pages have 4 KiB.
    ///
    /// LMDB takes the size of the system's pages otherwise. Values of some kilobytes lie in leaves
    /// of 16 KiB then, and not outside of the trees: every walk reads them, and each leaf of three
    /// has no room for a fourth.
    static func blankPair(
        mapSizeBytes: Int, pageSizeBytes: Int = newPageSizeBytes
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func put(_ value: some FixedWidthInteger) {
            bytes += (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        for number in 0..<2 as Range<UInt64> {
            put(number)
            put(0x08 << 16 as UInt64)  // mp_flags: P_META
            put(0x1_BEEF_C0DE as UInt64)  // mm_magic, mm_version
            put(0 as UInt64)
            put(UInt64(mapSizeBytes))
            // The trees: the free list's first field is the page size, its flag MDB_INTEGERKEY.
            for first in [UInt64(pageSizeBytes) | 0x08 << 32, 0] {
                put(first)
                bytes += [UInt8](repeating: 0, count: 32)
                put(UInt64.max)
            }
            put(1 as UInt64)  // mm_last_pg
            let end = Int(number + 1) * pageSizeBytes
            bytes += [UInt8](repeating: 0, count: end - bytes.count)
        }
        return bytes
    }
}
