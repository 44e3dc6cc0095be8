internal import ArgumentParser
internal import JSON
internal import Stores
internal import Web

/// `pulselog serve overlay`.
struct Overlay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overlay",
        abstract: "Show a link for OBS: your heart rate over a video.",
        discussion: """
            The link holds a new secret, which is shown this once. Whoever has it sees the heart \
            rate, pace, distance, time and steps of the walk under way, and nothing else: no \
            place, no name, no walk before. `pulselog serve devices revoke` ends it. A port other \
            than 8367 is given as to `serve`, with --port.
            """)
    @ParentCommand var serve: Serve
    @Argument(help: "What to call the link.")
    var name: PhoneName
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let phones = try common.open(.creating).phones
        let secret = try phones.add(name, as: .overlay)
        let path = "\(Site.overlayPath)/\(secret.text)?size=m"
        let link = WebServer.address(at: serve.port) + path
        let other = try phones.book().address.map { $0 + path }
        let elsewhere = other.map { "\nOn another machine of your network:\n  \($0)\n" } ?? ""
        common.write(
            """
            Add a browser source in OBS, 360 wide and 112 high, with this URL:
              \(link)
            \(elsewhere)
            size=s is 240 x 72, size=l 560 x 168. &show=pace,distance,time,steps, or some of
            them, adds a second line: 240 x 106, 360 x 162, 560 x 244. &beat=heart beats with
            your heart, &zone=off leaves the zone out.

            """
        ) { json in
            json.field("link", link)
            json.field("networkLink", other)
            json.field("token", secret.text)
        }
    }
}
