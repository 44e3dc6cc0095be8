import Files
import Foundation
import Testing

@Suite("A command on the side", .timeLimit(.minutes(1)))
struct SideCommandTests {
    @Test("has its variables, its input, and no signal blocked or ignored")
    func run() async throws {
        // Whoever starts it has some of both.
        signal(SIGPIPE, SIG_IGN)
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGUSR2)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let line =
            "cat; echo $WALK; grep -E 'Sig(Blk|Ign)' /proc/self/status | tr -dc 1-9a-f; exit 3"
        let failure = try await withCheckedThrowingContinuation { continuation in
            do {
                try SideCommand.start(
                    line, with: ["WALK": "7"], reading: Array("in ".utf8), atMostSeconds: 50
                ) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(failure?.what == "failed with exit code 3")
        let words = failure.map { String(decoding: $0.words.prefix { $0 > 0 }, as: UTF8.self) }
        // Of both lines only what is no zero is left: the C library ignores two for itself.
        #expect(["in 7\n", "in 7\n18"].contains(words))
    }
}
