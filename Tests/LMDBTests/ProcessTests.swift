import Foundation
import LMDB
import TestSupport
import Testing

/// What takes a second process; an exit test is one.
@Suite("Environment among processes")
struct ProcessTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("sees what another process commits, and adopts the map that it grew")
    func otherProcessGrows() async throws {
        let environment = try openEnvironment(
            directory.path, mapSizeBytes: mebibyte, appending: 0..<1)
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            try openEnvironment(
                path, mapSizeBytes: 32 * mebibyte, appending: 1..<2_000, byteCount: 4_000)
        }
        #expect(try environment.numbers() == Array(0..<2_000))
        #expect(try environment.info.mapSizeBytes == 32 * mebibyte)
        try environment.append(2_000..<2_001)
    }

    /// The map is dropped before the larger one is asked for.
    @Test("adopts as much of a grown map as there is room for")
    func adoptionWithoutRoom() async throws {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            try openEnvironment(path, mapSizeBytes: 64 << 40, appending: 0..<1)
        }
        let environment = try openEnvironment(directory.path, mapSizeBytes: mebibyte)
        #expect(try environment.numbers() == [0])
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            try openEnvironment(path).append(1..<1_000, byteCount: 4_000)
        }
        // Leaves no such room, and plenty for what is beside this test.
        var taken: [UnsafeMutableRawPointer?] = []
        defer { for place in taken { munmap(place, 24 << 40) } }
        while true {
            let place = mmap(
                nil, 24 << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            guard place != MAP_FAILED else { break }
            taken.append(place)
        }
        #expect(!taken.isEmpty)
        #expect(try environment.numbers() == Array(0..<1_000))
        try environment.append(1_000..<1_001)
    }

    @Test("frees the slot of a reader that died")
    func deadReader() async throws {
        let environment = try openEnvironment(directory.path, appending: 0..<1)
        #expect(try environment.checkReaders() == 0)
        await #expect(processExitsWith: .exitCode(3)) { [path = directory.path as String] in
            let environment = try openEnvironment(path, mode: .readOnly)
            try environment.read { _ in _exit(3) }
        }
        #expect(try environment.checkReaders() == 1)
        #expect(try environment.checkReaders() == 0)
    }

    /// A limit on the size of files makes the commit's write fail, as a full disk does.
    @Test("writes nothing after a failed commit until it is reopened")
    func failedCommit() async throws {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            do {
                let environment = try openEnvironment(path, appending: 0..<10)
                var limit = rlimit()
                #expect(getrlimit(__rlimit_resource_t(1), &limit) == 0)
                limit.rlim_cur = rlim_t(64 * 1_024)
                #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)

                let failure = try #require(throws: LMDBError.self) {
                    try environment.append(10..<100, byteCount: 4_000)
                }
                #expect(failure.call == "mdb_txn_commit")
                #expect([.system(EIO), .system(EFBIG)].contains(failure.code))
                #expect(failure.detail.contains("bytes are available"))
                #expect(environment.needsReopening)

                limit.rlim_cur = limit.rlim_max
                #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
                let code = try errorCode { try environment.append(10..<11) }
                #expect(code == .needsReopening)
                #expect(try environment.numbers() == Array(0..<10))
            }
            let environment = try openEnvironment(path)
            #expect(!environment.needsReopening)
            #expect(try environment.numbers() == Array(0..<10))
            try environment.append(10..<11)
        }
    }

    @Test("stops a writer of a read-only environment")
    func writeReadOnly() async {
        await #expect(processExitsWith: .failure) { [path = directory.path as String] in
            _ = try openEnvironment(path)
            let environment = try openEnvironment(path, mode: .readOnly)
            try environment.append(0..<1)
        }
    }

    /// Swift hides `fork`, but a C library may call it.
    @Test("stops a child that inherited it by fork")
    func forkGuard() async {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let environment = try openEnvironment(path)
            let symbol = try #require(dlsym(nil, "fork"))
            let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 { _exit(try environment.numbers().isEmpty ? 0 : 1) }
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(status & 0x7F != 0, "the child ended by a signal")
            try environment.append(0..<1)
        }
    }
}
