import Dispatch
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
        let release = DispatchSemaphore(value: 0)
        let thread = try OwnThread {
            release.wait()
            flag.isSet.store(true, ordering: .releasing)
        }
        let other = try OwnThread { release.signal() }
        thread.join()
        other.join()
        let isSet = flag.isSet.load(ordering: .acquiring)
        #expect(isSet)
    }

    @Test(
        "runs to its end when it is detached, or let go", .timeLimit(.minutes(5)),
        arguments: [true, false])
    func detach(_ isAsked: Bool) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let release = DispatchSemaphore(value: 0)
        do {
            let thread = try OwnThread {
                release.wait()
                end.finish()
            }
            if isAsked { thread.detach() }
        }
        release.signal()
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
