internal import ArgumentParser
internal import QRCodes
internal import Stores
internal import Terminal
internal import Web
internal import Words

/// `pulselog serve positions`.
struct Positions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "positions",
        abstract: "Show what to enter in an app of a phone that sends where you are.",
        discussion: """
            For a `serve`, or `record --serve`, that was given --listen. The code sets up \
            OwnTracks. It holds a new secret, which is shown this once: an app sends positions and \
            totals with it, and nothing else. `pulselog serve devices revoke` ends it. What is \
            sent while no walk is recorded is not kept.
            """)
    @Argument(help: "What to call the phone.")
    var name: PhoneName
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let phones = try common.open(.creating).phones
        guard let address = try phones.book().address else {
            throw CommandFailure(.unavailable, PhoneOffer.nobodyListens)
        }
        let secret = try phones.add(name, as: .push)
        let apps = PhoneApps(address: address, secret: secret, name: name.text)
        let picture = QRCode(apps.ownTracks)?.lines(isColored: common.isColored(.standard)) ?? []
        common.write(
            """
            \(picture.joined(separator: "\n"))
            Scan this with the phone that has OwnTracks, or enter it there, under Connection:
              Mode HTTP, URL \(apps.address)
              Username \(PhoneApps.user), password \(secret.text)

            GPSLogger, under Log to custom URL:
              \(apps.gpsLogger)

            Traccar Client, as server URL:
              \(apps.traccar)

            """, apps.writeFields)
    }
}
