import Glibc
import Terminal
import Testing

@Suite("Requests to stop")
struct StopRequestTests {
    /// Sends this process a signal, and returns once it has been heard of; else the process ends.
    private static func ask(_ stop: StopRequest) {
        kill(getpid(), SIGTERM)
        stop.sleep(until: .now + .seconds(60))
        if !stop.hasCome { exit(1) }
    }

    /// Sends this thread a signal, which a thread of the test may block.
    private static func raiseUnblocked(_ number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    @Test("leave a signal ignored that was ignored at the start, as nohup wants it")
    func ignored() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_IGN)
            Self.ask(StopRequest())
            Self.raiseUnblocked(SIGHUP)
            exit(7)
        }
    }

    @Test("end the process by the second signal")
    func second() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            Self.ask(StopRequest())
            Self.raiseUnblocked(SIGINT)
        }
    }
}
