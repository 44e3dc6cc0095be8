import Glibc
import Testing
import Threads

@Suite("A doorbell", .timeLimit(.minutes(5)))
struct DoorbellTests {
    @Test("wakes once it rings, never holds up whoever does, and is silent at last")
    func ring() throws {
        let bell = try #require(Doorbell())
        var entry = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
        for rings: Int32 in [0, 1, 100_000, 1] {
            for _ in 0..<rings { bell.ring() }
            #expect(poll(&entry, 1, 0) == min(rings, 1))
            for _ in 0..<100_000 where poll(&entry, 1, 0) == 1 { bell.silence() }
            #expect(poll(&entry, 1, 0) == 0)
        }
    }

    @Test("says why there is none")
    func none() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            exit(Doorbell() == nil && errno == EMFILE ? 0 : 1)
        }
    }
}
