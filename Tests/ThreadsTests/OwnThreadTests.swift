import Glibc
import Synchronization
import Testing
import Threads

@Suite("A thread of the system")
struct OwnThreadTests {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    @Test("has ended when it is joined")
    func join() throws {
        let flag = Flag()
        let thread = try OwnThread {
            usleep(20_000)
            flag.isSet.store(true, ordering: .releasing)
        }
        thread.join()
        let isSet = flag.isSet.load(ordering: .acquiring)
        #expect(isSet)
    }

    @Test("runs to its end when it is detached, or let go", arguments: [true, false])
    func detach(_ isAsked: Bool) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        do {
            let thread = try OwnThread {
                usleep(20_000)
                end.finish()
            }
            if isAsked { thread.detach() }
        }
        for await _ in ends {}
    }

    @Test("that cannot be made is an error with its number")
    func none() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // No room for another stack.
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            setrlimit(Int32(RLIMIT_AS.rawValue), &limit)
            do throws(NoThread) {
                try OwnThread {}.join()
            } catch {
                _exit(error.errorNumber == EAGAIN ? 7 : 8)
            }
        }
    }
}
