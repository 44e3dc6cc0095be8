/// A strap in the air, which all adapters share.
///
/// Lives on the bus thread.
final class Peripheral {
    /// What it is and holds, and how it behaves right now.
    var strap: Strap
    /// Whether it has a link; while it has, it neither advertises nor takes another.
    var isLinked = false

    init(_ strap: Strap) {
        self.strap = strap
    }

    /// Whether it can be heard and connected to.
    var isHeard: Bool { strap.isAdvertising && !isLinked }
}
