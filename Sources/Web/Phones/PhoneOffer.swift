package import Clocks
package import JSON
package import QRCodes
internal import Text

/// What is shown to pair a phone: a code to type, and one to scan.
package struct PhoneOffer: Sendable {
    /// Where the phone is to go.
    package let address: String
    /// What is typed there, such as `K7QD-3MXA`.
    package let code: String
    /// Where the phone goes that scans: what follows the `#` reaches no server and no log of one.
    package let link: String
    /// The link as a picture.
    package let picture: QRCode?

    /// How it is used.
    private static let hint =
        "Scan this with the phone, or open the address there and type the code. It is valid once, "
        + "and for \(counted(PhoneBook.codeMilliseconds / 60_000, "minute"))."
    /// Why there is none, and what to do.
    package static let nobodyListens =
        "Nothing that is served can be reached by a phone. Give `serve`, or `record --serve`, "
        + "--listen with an address of this machine on your own network."
}

extension PhoneOffer: JSONObject {
    /// Writes what a page or a program shows.
    package func writeFields(to json: inout JSONWriter) {
        json.field("address", address)
        json.field("code", code)
        json.field("link", link)
        json.field("hint", Self.hint)
        json.field("validSeconds", PhoneBook.codeMilliseconds / 1_000)
        json.field("side", picture?.side)
        json.field("path", picture?.path)
    }
}

extension PhoneFile {
    /// Makes a code, in place of the one before; nil if no server is there for phones.
    ///
    /// - Parameters:
    ///   - kind: What the phone may do then.
    ///   - now: From when on it is good.
    ///   - random: Gives that many bytes that nobody can guess.
    /// - Returns: What is shown.
    /// - Throws: `CommandFailure`.
    package func offer(
        for kind: Phone.Kind, at now: Arrival, random: (Int) -> [UInt8]
    ) throws -> PhoneOffer? {
        try change { book in
            guard let address = book.address else { return nil }
            let code = book.makeCode(for: kind, at: now, random: random)
            let link = "\(address)/#pair=\(code.scanned)"
            return PhoneOffer(
                address: address, code: code.typed, link: link, picture: QRCode(link))
        }
    }
}
