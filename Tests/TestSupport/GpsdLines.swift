/// Lines of gpsd 3.22, each with its end.
package enum GpsdLines {
    /// What it sends to everybody who comes.
    package static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
        + "\r\n"
    /// What it answers to `?WATCH`.
    package static let watched =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","#
        + #""driver":"u-blox","activated":"2026-03-01T09:00:00.000Z"}]}"# + "\r\n"
        + #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"#
        + #""timing":false,"split24":false,"pps":false}"# + "\r\n"
    /// The first report after a start: a mode, and nothing that it is of.
    package static let empty = #"{"class":"TPV","device":"/dev/ttyACM0","mode":3}"# + "\r\n"

    /// The two reports of an epoch with the satellites between them, as gpsd sends them: the first
    /// one has only the place.
    ///
    /// - Parameters:
    ///   - time: RFC 3339, UTC.
    ///   - place: Where it is.
    ///   - satellites: How many are used; four more are seen.
    /// - Returns: Three lines.
    package static func epoch(_ time: String, at place: Place, satellites: Int = 9) -> String {
        let head =
            #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","ept":0.005,"#
            + #""lat":\#(decimal(place.latitudeE7, digits: 7)),"#
            + #""lon":\#(decimal(place.longitudeE7, digits: 7))"#
        let height = decimal(place.altitudeMillimetres, digits: 3)
        let seen = (1...satellites + 4).map {
            #"{"PRN":\#($0),"el":45.0,"az":120.0,"ss":30.0,"used":\#($0 <= satellites)}"#
        }
        return head + "}\r\n"
            + #"{"class":"SKY","device":"/dev/ttyACM0","hdop":1.0,"satellites":["#
            + seen.joined(separator: ",") + "]}\r\n"
            + head + #","altHAE":\#(height),"altMSL":\#(height),"alt":\#(height),"epx":3.1,"#
            + #""epy":4.2,"epv":9.0,"track":10.0,"speed":1.400,"eps":0.5,"eph":5.000}"# + "\r\n"
    }

    /// A place of a track.
    package struct Place: Hashable, Sendable {
        /// Degrees north times 10^7.
        package var latitudeE7: Int64
        /// Degrees east times 10^7.
        package var longitudeE7: Int64
        /// Above the sea.
        package var altitudeMillimetres: Int64

        /// Names a place.
        package init(latitudeE7: Int64, longitudeE7: Int64, altitudeMillimetres: Int64 = 515_000) {
            (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
            self.altitudeMillimetres = altitudeMillimetres
        }
    }

    private static func decimal(_ number: Int64, digits: Int) -> String {
        let text = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return (number < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
