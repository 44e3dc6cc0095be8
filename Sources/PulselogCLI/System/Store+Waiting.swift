internal import EventStoreLMDB
internal import Terminal
internal import Text
internal import Words

extension Store {
    /// From how long on a wait for another process is worth a word.
    private static let patience = Duration.seconds(3)
    /// How often to look whether an append waits.
    private static let lookInterval = Duration.milliseconds(500)

    /// Who keeps this process from appending, once that has lasted for three seconds; else nil.
    var longWait: WriterWait? {
        log.wait.flatMap { $0.duration >= Self.patience ? $0 : nil }
    }

    /// Runs what appends, and says on standard error who keeps it waiting, once each time.
    ///
    /// - Parameter body: Appends.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    func tellingWaits<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // It is cancelled when the body has ended.
        async let _ = tellWaits()
        return try await body()
    }

    private func tellWaits() async {
        let sentences = StreamWriter.sentences()
        var isTold = false
        while true {
            let wait = longWait
            if let wait, !isTold {
                let sentence = printable("\(directory): \(wait).", limit: .max)
                sentences.put(Array("pulselog: \(sentence)\n".utf8))
            }
            isTold = wait != nil
            do {
                try await Task.sleep(for: Self.lookInterval)
            } catch {
                return  // Cancelled: nobody waits any more.
            }
        }
    }
}
