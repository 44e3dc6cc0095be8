internal import ArgumentParser

/// What is to be said of a Bluetooth capture that is replayed.
struct CaptureOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format of a Bluetooth capture: btsnoop, pcap, pcapng, btmon, notifications, or "
                + "lines for a value on each; default by content.", valueName: "format"))
    var format: CaptureFormatOption?

    @OptionGroup var handles: HandleOptions
}

/// What a Bluetooth capture does not tell of itself.
struct HandleOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "What a Bluetooth capture does not tell: a handle's characteristic, such as 0x12=2a37. "
                + "Repeatable.", valueName: "handle=uuid"))
    var handle: [HandleOption] = []
}
