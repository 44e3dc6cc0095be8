package import ArgumentParser
internal import Events
package import LookingBack
package import Sensors
package import Words

/// What makes itself of one word of the command line.
package protocol WrittenArgument: ExpressibleByArgument {
    /// Reads the word; nil if it makes no sense.
    init?(_ text: String)
}

extension WrittenArgument {
    /// Reads the word; nil if it makes no sense.
    package init?(argument: String) {
        self.init(argument)
    }
}

extension DeviceName: WrittenArgument {}
extension LogMoment: WrittenArgument {}
extension LogStart: WrittenArgument {}
extension PositionSource: WrittenArgument {}
extension WrittenAddress: WrittenArgument {}
extension WrittenBeginning: WrittenArgument {}
extension WrittenDistance: WrittenArgument {}
extension HeartLimits: WrittenArgument {}
extension WrittenDuration: WrittenArgument {}
extension WrittenGoal: WrittenArgument {}
extension WrittenHandle: WrittenArgument {}
extension WrittenTime: WrittenArgument {}
extension WrittenZone: WrittenArgument {}

/// One of the values there are of a kind, by its name.
struct NamedOption<Value: CaseIterable & RawRepresentable<String> & Sendable>:
    ExpressibleByArgument
{
    let value: Value

    init(_ value: Value) { self.value = value }

    init?(argument: String) {
        guard let value = Value(rawValue: argument) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
    var defaultValueDescription: String { value.rawValue }
}

/// One of the roles of a device.
enum RoleOption: String, ExpressibleByArgument {
    case heart
    case steps

    var role: Role { self == .heart ? .heart : .pedometer }
}

/// Faults of a link and how many of each, such as `drops=5,crash=1`.
struct WrittenFaults: ExpressibleByArgument {
    /// What each does.
    let kinds: [LinkFault.Kind]

    init?(argument: String) {
        var kinds: [LinkFault.Kind] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            guard sides.count == 2, let kind = LinkFault.Kind(rawValue: sides[0]),
                let count = WholeNumber.of(sides[1]), (1...1_000).contains(count),
                !kinds.contains(kind)
            else { return nil }
            kinds += Array(repeating: kind, count: Int(count))
        }
        self.kinds = kinds
    }
}
