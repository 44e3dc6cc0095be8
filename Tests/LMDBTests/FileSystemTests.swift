import Testing

@testable import LMDB

@Suite("File system")
struct FileSystemTests {
    /// The numbers of statfs(2) and of `linux/magic.h`.
    @Test(
        "knows the file systems that LMDB cannot rely on",
        arguments: [
            (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"),
            (0x0102_1997, "9P"), (0x6573_5546, "FUSE"),
            (0xEF53, nil), (0x5846_5342, nil), (0x9123_683E, nil), (0x0102_1994, nil),
        ] as [(UInt32, String?)])
    func remoteNames(magic: UInt32, name: String?) {
        #expect(FileSystem.remoteName(magic: magic) == name)
    }
}
