extension WalkFile {
    /// The walk as FIT.
    public func fit() -> [UInt8] { [] }
}
