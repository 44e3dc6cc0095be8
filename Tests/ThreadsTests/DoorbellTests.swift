import Glibc
import Testing
import Threads

@Suite("A doorbell", .timeLimit(.minutes(5)))
struct DoorbellTests {
    @Test("never holds up whoever rings, wakes, and is silent once it is answered")
    func ring() throws {
        let bell = try #require(Doorbell())
        #expect(!isRung(bell))
        for _ in 0..<100_000 { bell.ring() }
        #expect(isRung(bell))
        for _ in 0..<100_000 where isRung(bell) { bell.silence() }
        #expect(!isRung(bell))
        bell.ring()
        #expect(isRung(bell))
    }

    @Test("says why there is none")
    func none() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let bell = Doorbell()
            let number = errno
            #expect(bell == nil && number == EMFILE)
            exit(bell == nil && number == EMFILE ? 0 : 1)
        }
    }

    private func isRung(_ bell: Doorbell) -> Bool {
        var entry = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }
}
