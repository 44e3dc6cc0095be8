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

    init?(argument: String) {
        guard let value = Value(rawValue: argument) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
}

/// One of the roles of a device.
enum RoleOption: String, ExpressibleByArgument {
    case heart
    case steps

    var role: Role { self == .heart ? .heart : .pedometer }
}
