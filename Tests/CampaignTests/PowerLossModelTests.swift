import Testing

@testable import PowerLoss

/// The disk on which `Tools/Campaigns/PowerLoss` follows a program.
@Suite("Power loss model")
struct PowerLossModelTests {
    private typealias Fate = CachedFile.PageFate

    private static let page = CachedFile.pageBytes

    private static func full(_ byte: UInt8, pages: Int = 1) -> [UInt8] {
        [UInt8](repeating: byte, count: pages * page)
    }

    @Test("has a page in any of its contents since the flush, sector by sector")
    func pages() {
        var file = CachedFile(durable: Self.full(1, pages: 2))
        file.write(Self.full(2), at: 0)
        file.write(Self.full(3, pages: 2), at: 0)
        #expect(file.doubtfulPages.map(\.versions) == [3, 2])
        #expect(file.remains([:], size: 0, .zeros) == Self.full(1, pages: 2))
        #expect(
            file.remains([0: Fate(version: 1)], size: 0, .zeros) == Self.full(2) + Self.full(1))
        #expect(
            file.remains([1: Fate(version: 1)], size: 0, .zeros) == Self.full(1) + Self.full(3))
        let torn = file.remains([0: Fate(version: 2, sectors: 0b10)], size: 0, .zeros)
        #expect(torn.prefix(512).allSatisfy { $0 == 1 })
        #expect(torn[512..<1_024].allSatisfy { $0 == 3 })
        #expect(torn.dropFirst(1_024).allSatisfy { $0 == 1 })
    }

    @Test("has a size without the bytes, and bytes without the size")
    func sizes() {
        var file = CachedFile(durable: [])
        file.write([7, 8, 9], at: 0)
        #expect(file.remains([0: Fate(version: 1)], size: 0, .zeros) == [])
        #expect(file.remains([:], size: 1, .zeros) == [0, 0, 0])
        #expect(file.remains([:], size: 1, .remains) == [0xA5, 0xA5, 0xA5])
        #expect(file.remains([0: Fate(version: 1)], size: 1, .zeros) == [7, 8, 9])
        file.resize(to: 1)
        #expect(file.remains([0: Fate(version: 1)], size: 1, .zeros) == [7, 8, 9])
        #expect(file.remains([0: Fate(version: 2)], size: 2, .zeros) == [7])
    }

    @Test("keeps what was flushed, and with a synchronous write only what that wrote")
    func flushes() {
        var file = CachedFile(durable: Self.full(1, pages: 2))
        file.write(Self.full(2), at: Self.page)
        file.write([3], at: 0)
        file.synchronize(0..<1)
        #expect(file.doubtfulPages.map(\.page) == [1])
        #expect(file.remains([:], size: 0, .zeros) == [3] + Self.full(1, pages: 2).dropFirst())
        file.synchronize()
        #expect(file.doubtfulPages.isEmpty)
        #expect(file.remains([:], size: 0, .zeros) == file.content)
    }

    @Test("has a name as before or as after, whatever became of the others")
    func names() {
        var folder = CachedFolder(durable: ["log": .file(0)])
        folder.make(CachedFolder.Change(added: ("new", .file(1))))
        folder.make(
            CachedFolder.Change(added: ("log", .file(1)), removed: ("new", .file(1))))
        #expect(folder.entries == ["log": .file(1)])
        #expect(folder.remains { _ in false } == ["log": .file(0)])
        #expect(folder.remains { $0 == 0 } == ["log": .file(0), "new": .file(1)])
        #expect(folder.remains { $0 == 1 } == ["log": .file(1)])
        folder.synchronize()
        #expect(folder.remains { _ in false } == ["log": .file(1)])
    }

    @Test("reads the calls of several threads in the order in which they returned, if they did")
    func calls() throws {
        let trace = #"""
            7 pwrite64(3, "\x61\x0a", 2, 4096 <unfinished ...>
            8 fdatasync(4) = 0
            7 <... pwrite64 resumed>) = 2
            8 pwritev(3, [{iov_base="\x61", iov_len=1}, {iov_base="\x62\x63", iov_len=2}], 2, 0) = 3
            9 ???( <detached ...>
            8 openat(AT_FDCWD, "\x2f\x61", O_RDONLY) = -1 ENOENT (No such file or directory)
            """#
        let calls = try TracedCall.calls(of: Array(trace.utf8))
        #expect(calls.map(\.name) == ["fdatasync", "pwrite64", "pwritev", "openat"])
        #expect(calls.map(\.result) == [0, 2, 3, -1])
        #expect(try calls[1].bytes(1) == [0x61, 0x0A])
        #expect(try calls[1].number(3) == 4_096)
        #expect(try calls[2].bytes(1) == Array("abc".utf8))
        #expect(try calls[3].path(1) == "/a")
        #expect(throws: (any Error).self) {
            try TracedCall.calls(of: Array(#"7 write(1, "\x61"..., 9) = 9"#.utf8))[0].bytes(1)
        }
    }

    @Test("tries every outcome of a moment that has few")
    func plan() {
        let few: [CachedDisk.Doubt] = [
            .page(0, file: 0, versions: 3), .size(file: 0, sizes: 2), .change(0, folder: 0),
        ]
        let many = (0..<40).map { CachedDisk.Doubt.page($0, file: 0, versions: 2) }
        let cuts = PowerCut.plan([many, few], count: 200, seed: 1)
        #expect(cuts.count == 200)
        #expect(Set(cuts).count == 200)
        let whole = cuts.filter { cut in
            cut.moment == 1 && cut.hole == .zeros && cut.fates.allSatisfy { $0.sectors == .max }
        }
        #expect(Set(whole.map { $0.fates.map(\.version) }).count == 12)
        #expect(cuts == PowerCut.plan([many, few], count: 200, seed: 1))
        #expect(cuts != PowerCut.plan([many, few], count: 200, seed: 2))
    }
}
