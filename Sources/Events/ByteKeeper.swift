/// Keeps bytes outside of memory where there is room, and returns what gives them back.
public typealias ByteKeeper = @Sendable (_ bytes: [UInt8]) -> KeptPiece

/// Gives bytes back that are kept for as long as it lives.
public typealias KeptPiece = @Sendable () -> [UInt8]
