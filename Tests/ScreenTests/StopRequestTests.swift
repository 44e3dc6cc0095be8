import Glibc
import Terminal
import Testing

@Suite("Requests to stop")
struct StopRequestTests {
    @Test("leave a signal ignored that was ignored at the start, as nohup wants it")
    func ignored() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_IGN)
            let stop = StopRequest()
            kill(getpid(), SIGTERM)
            while !stop.hasCome { usleep(1_000) }
            kill(getpid(), SIGHUP)
            exit(7)
        }
    }

    @Test("end the process by the second signal")
    func second() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let stop = StopRequest()
            kill(getpid(), SIGTERM)
            while !stop.hasCome { usleep(1_000) }
            // A thread of the test may block it; the process is asked.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(SIGINT)
        }
    }
}
