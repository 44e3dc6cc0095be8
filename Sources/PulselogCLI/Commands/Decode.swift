internal import ArgumentParser
internal import BluetoothCaptures
internal import BluetoothCentral
internal import Decoding
internal import Events
internal import Terminal
internal import Text
internal import Words

/// `pulselog decode`: what the bytes of a characteristic mean.
struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Decode characteristic values.",
        discussion: """
            Known: 2a37 heart rate, 2a38 body location, 2a29 manufacturer, 2a19 battery, 2a53 \
            running speed and cadence, 00030001-78fc-48fe-8e23-433b3a1942d0 InfiniTime's steps. \
            Example: pulselog decode 2a37 1653b402
            """)

    @Argument(help: "The characteristic's UUID, as in 2a37.")
    var uuid: String

    @Argument(
        help: ArgumentHelp(
            "Values in hexadecimal, with or without spaces, colons and dashes; as a list, "
                + "'[22, 83]'; or as Python's bytes. '' is the empty value.", valueName: "value"))
    var values: [String]

    @OptionGroup var common: CommonOptions

    func run() throws {
        guard let characteristic = CharacteristicCode(uuid: uuid) else {
            let known = CharacteristicCode.allCases.map(\.shortUUID).joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "\(printable(uuid)) is not a characteristic that Pulselog decodes; "
                    + "known: \(known).")
        }
        let bytes = try values.map(Self.bytes)
        var isMalformed = false
        for value in bytes {
            do throws(MalformedMeasurement) {
                common.write(try DecodedValue(characteristic, value))
            } catch {
                isMalformed = true
                if common.json {
                    Output.standard.write(error.jsonLine(characteristic, value))
                } else {
                    let name = value.isEmpty ? "the empty value" : hexadecimal(value)
                    Output.standardError.say("\(name): \(error.description)")
                }
            }
        }
        if isMalformed { throw ExitCode(CommandFailure.Code.badData.rawValue) }
    }

    private static func bytes(_ text: String) throws -> [UInt8] {
        guard let value = ValueText(text) else {
            throw CommandFailure(
                .usage,
                "\(printable(text)) is not a value; write one as 1653b402, with two digits for "
                    + "each byte, or as '[22, 83, 180, 2]'.")
        }
        return value.bytes
    }
}
