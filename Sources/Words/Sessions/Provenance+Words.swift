package import Events

extension Provenance {
    /// What people call it: `walked`, `simulated`, `import 1`.
    package var name: String {
        switch self {
        case .walked: "walked"
        case .simulated: "simulated"
        case .imported(let number): "import \(number)"
        }
    }

    /// What comes after a figure that is not the walker's own; nothing after one that is.
    var mark: String { self == .walked ? "" : ", \(name)" }
}
