internal import Glibc

/// The room for maps, which a limit (RLIMIT_AS) may make small.
enum AddressSpace {
    /// What a map leaves for everything else: each thread may take a stack and a heap of its own.
    private static let reserveBytes = 1 << 30
    /// A map of this size is asked for whatever the room.
    private static let leastBytes = 64 << 20

    /// Throws unless a map of the size fits, which LMDB finds out after it dropped the old one.
    ///
    /// - Throws: ``LMDBError`` with the system's `ENOMEM`.
    static func check(for bytes: Int) throws(LMDBError) {
        let trial = unsafe mmap(
            nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard unsafe trial != MAP_FAILED else {
            throw LMDBError(result: errno, call: "mmap", detail: "\(bytes) bytes")
        }
        unsafe munmap(trial, bytes)
    }

    /// The size that is wanted for a map, or the half, quarter and so on of it that fits.
    ///
    /// A smaller map costs nothing but growing it earlier; LMDB makes it as large as the file.
    static func fitting(_ bytes: Int) -> Int {
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        var size = bytes
        while size > leastBytes {
            do {
                try check(for: size + reserveBytes)
                return size
            } catch {
                size = size / 2 / pageSize * pageSize
            }
        }
        return size
    }
}
