import Events

extension DeviceID {
    /// By what folds tell devices apart.
    var key: UInt64 { word }

    /// Undoes ``key``; nil if there is no such space.
    init?(key: UInt64) {
        self.init(word: key)
    }
}
