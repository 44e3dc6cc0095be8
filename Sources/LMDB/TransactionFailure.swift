/// An error that the closure of a transaction may throw, because it can stand for LMDB's own.
///
/// A transaction fails in two ways: LMDB refuses to begin or to commit, or the closure gives up.
/// One error type covers both when it can be made from an ``LMDBError``; ``LMDBError`` itself can.
/// A store makes its own error conform and throws it from inside:
///
/// ```swift
/// extension StoreError: TransactionFailure {
///     init(_ error: LMDBError) { self = .environment(error) }
/// }
///
/// try environment.write { transaction throws(StoreError) in
///     guard head == expected else { throw .wrongPosition(head) }  // aborts
///     …
/// }
/// ```
///
/// The alternative was a closure that throws only `LMDBError` and returns all else; then a refusal
/// would have committed. A wrapper enum of both errors was the other; each caller had to open it.
public protocol TransactionFailure: Error {
    /// Makes the error that stands for a failure of LMDB.
    ///
    /// - Parameter error: The failure.
    init(_ error: LMDBError)
}

extension LMDBError: TransactionFailure {
    /// The failure itself.
    ///
    /// - Parameter error: The failure.
    public init(_ error: LMDBError) {
        self = error
    }
}
