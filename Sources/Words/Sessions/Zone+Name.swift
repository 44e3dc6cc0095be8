public import Projections

extension Zone {
    /// The name of the zone, as people read it.
    public var name: String {
        switch self {
        case .resting: "resting"
        case .moderate: "moderate"
        case .vigorous: "vigorous"
        case .maximum: "maximum"
        }
    }
}
