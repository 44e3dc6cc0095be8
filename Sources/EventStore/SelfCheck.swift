public import Events

/// How far a log was compared with its seals without anybody asking for it: a share with each seal.
public struct SelfCheck: Hashable, Sendable {
    /// When the last share was compared: UTC in milliseconds since 1970-01-01.
    public var atMilliseconds: Int64
    /// The sealed blocks that were compared in this round; all of them when one is finished.
    public var verifiedBlocks: UInt64
    /// The sealed blocks that there were then.
    public var sealedBlocks: UInt64
    /// Where the next share begins: 0 for a new round.
    public var next: Position = 0
    /// The first position known to be bad; nil if none is.
    public var damagePosition: Position?

    /// Tells of a share.
    public init(atMilliseconds: Int64, verifiedBlocks: UInt64, sealedBlocks: UInt64) {
        (self.atMilliseconds, self.verifiedBlocks) = (atMilliseconds, verifiedBlocks)
        self.sealedBlocks = sealedBlocks
    }
}
