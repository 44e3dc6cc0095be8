package import Projections
internal import TamperEvidence

extension LogState {
    /// The digest of its canonical bytes, as it is written: two folds with the same one are equal.
    package var digest: String {
        var digest = FileDigest()
        passCanonicalBytes { digest.take($0.span) }
        return "sha256:" + digest.digits
    }
}
