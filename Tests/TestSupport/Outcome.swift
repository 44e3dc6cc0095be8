/// What came of a body, so that what it used can be ended before that is passed on.
///
/// - Parameter body: What is done.
/// - Returns: What it gave or threw.
package func outcome<Value>(
    of body: () async throws -> Value
) async -> Result<Value, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
