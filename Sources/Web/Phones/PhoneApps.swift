internal import Events
package import JSON
internal import TamperEvidence

/// What is entered in apps of a phone, so that they send where it is.
package struct PhoneApps: JSONObject, Sendable {
    /// Any name does: the secret says who sends.
    package static let user = "pulselog"

    /// Where they send it.
    package let address: String
    private let secret: AccessToken
    private let name: String

    /// Prepares it.
    ///
    /// - Parameters:
    ///   - address: Where phones reach the server.
    ///   - secret: What lets them in.
    ///   - name: What the phone is called.
    package init(address: String, secret: AccessToken, name: String) {
        (self.address, self.secret, self.name) = (address + Site.positionsPath, secret, name)
    }

    /// Writes what each app needs.
    package func writeFields(to json: inout JSONWriter) {
        json.field("address", address)
        json.field("token", secret.text)
        json.field("ownTracks", ownTracks)
        json.field("gpsLogger", gpsLogger)
        json.field("traccar", traccar)
    }

    /// The link that sets up OwnTracks (its booklet, "Remote configuration"); mode 3 is HTTP.
    package var ownTracks: String {
        let settings = JSONWriter.line { json in
            json.field("_type", "configuration")
            json.field("mode", 3)
            json.field("url", address)
            json.field("auth", true)
            json.field("username", Self.user)
            json.field("password", secret.text)
            json.field("deviceId", name)
        }
        // In a query these three stand for something else (RFC 3986, 3.4).
        return "owntracks:///config?inline="
            + Base64.text(of: settings.dropLast()).replacing("+", with: "%2B")
            .replacing("/", with: "%2F").replacing("=", with: "%3D")
    }

    /// GPSLogger's custom URL.
    package var gpsLogger: String {
        "\(traccar)?lat=%LAT&lon=%LON&time=%TIME&acc=%ACC&alt=%ALT&s=%SPD&sat=%SAT&prov=%PROV"
            + "&batt=%BATT"
    }

    /// The server of Traccar Client, which sends no header.
    package var traccar: String { "\(address)/\(secret.text)" }
}
