internal import CLMDB

/// The fields of one meta page that say where the file must end and where its trees begin.
struct MetaPage {
    let pageSizeBytes: Int
    let lastPageNumber: UInt64
    let transactionID: UInt64
    let roots: [UInt64]

    init(descriptor: Int32, offset: Int, path: String) throws(LMDBError) {
        // offsetof(MDB_page, mp_ptrs) and sizeof(MDB_meta)
        let page = try FileBytes(descriptor: descriptor, offset: offset, count: 16 + 136)
        guard let page else {
            throw DataFile.notDatabase(path, "it ends within its meta pages")
        }
        // mp_flags with P_META, mm_magic, mm_version
        guard page.load(10, UInt16.self) & 0x08 != 0, page.load(16, UInt32.self) == 0xBEEF_C0DE
        else {
            throw DataFile.notDatabase(path, "page \(offset == 0 ? 0 : 1) is no meta page")
        }
        guard page.load(20, UInt32.self) == 1 else {
            throw LMDBError(result: MDB_VERSION_MISMATCH, call: "inspect", detail: path)
        }
        let pageSize = Int(page.load(40, UInt32.self))  // mm_psize
        guard (512...32768).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            throw DataFile.damaged(path, "a page size of \(pageSize) bytes is not possible")
        }
        let mapSize = page.load(32, UInt64.self)  // mm_mapsize
        let lastPage = page.load(136, UInt64.self)  // mm_last_pg
        guard mapSize <= UInt64(Int.max), lastPage >= 1,
            lastPage < mapSize / UInt64(pageSize)
        else {
            throw DataFile.damaged(path, "page \(lastPage) lies outside a map of \(mapSize) bytes")
        }
        // md_root of the free list and of the main database, all ones if empty
        roots = [80, 128].map { page.load($0, UInt64.self) }.filter { $0 != .max }
        guard roots.allSatisfy({ $0 <= lastPage }) else {
            throw DataFile.damaged(path, "a tree begins after the last page")
        }
        pageSizeBytes = pageSize
        lastPageNumber = lastPage
        transactionID = page.load(144, UInt64.self)  // mm_txnid
    }
}
