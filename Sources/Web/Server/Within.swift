/// What was to be done in time was not.
struct TooLong: Error, CustomStringConvertible {
    var description: String { "It took too long." }
}

/// Does something, and cancels it after a time.
///
/// - Throws: ``TooLong`` after that time, or what `body` throws.
func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await ContinuousClock().sleep(for: limit)
            throw TooLong()
        }
        guard let value = try await group.next() else { throw TooLong() }
        return value
    }
}
