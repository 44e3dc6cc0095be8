internal import ArgumentParser
internal import BluetoothCaptures

/// The format of a Bluetooth capture, by its name.
struct CaptureFormatOption: ExpressibleByArgument {
    let format: CaptureFormat

    init?(argument: String) {
        guard let format = CaptureFormat(rawValue: argument) else { return nil }
        self.format = format
    }

    static var allValueStrings: [String] { CaptureFormat.allCases.map(\.rawValue) }
}
