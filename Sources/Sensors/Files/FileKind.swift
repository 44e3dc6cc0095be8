/// Kinds of files that are no captures, and that people take for one, or for walks.
package struct FileKind {
    /// How many bytes tell the kind, but for those of ``program(_:)``.
    static let signatureBytes = 20

    /// What it is, with its article, and what to do.
    let sentences: String
    /// Whether it is text, which may be that of a capture as well.
    let isText: Bool

    /// Recognizes a file by its first bytes; nil if it is of none of these kinds.
    init?(recognizing start: [UInt8]) {
        let match = Self.signatures.first { signature in
            start.dropFirst(signature.offset).starts(with: signature.bytes)
        }
        guard let sentences = Self.program(start) ?? match.map({ "\($0.name). \($0.advice)" })
        else { return nil }
        self.sentences = sentences
        isText = match == nil || match?.advice == Self.convert
    }

    /// In what another program keeps walks that are not read, and what to do; nil for other files.
    ///
    /// - Parameter start: The first lines.
    /// - Returns: Some sentences, of which the first begins with an article.
    package static func program(_ start: [UInt8]) -> String? {
        let text = String(decoding: start.characters(start.count), as: UTF8.self)
        // A log of ours may tell of such a file, or of anything, in a name.
        let isObject = text.hasPrefix("{")
        return programs.first { isObject ? text.hasPrefix($0.key) : text.contains($0.key) }?.value
    }

    private static let fitbit =
        "a JSON file of Fitbit or Google Fit. Export the activity as TCX, in the app or on the web."

    /// Text in their first lines, without blanks.
    private static let programs: KeyValuePairs = [
        "[Params]": "a .hrm file of Polar. Polar Flow gives the walk as TCX, GPX or CSV.",
        "com.samsung.": "a table of Samsung Health. Export the workout there, as GPX.",
        "KubiosHRV": "a report of Kubios. Export the RR intervals instead, one on each line.",
        "time,seconds_elapsed": "a table of Sensor Logger. Import Location.csv or HeartRate.csv.",
        "Phonetimestamp;": "a table of Polar Sensor Logger. Import its file with RR in its name.",
        "[{\"dateTime\":": fitbit, "[{\"logId\":": fitbit, "{\"fitnessActivity\":": fitbit,
        "<kml": "a KML file. Export the track as GPX.",
    ]

    private static let unpack = "Unpack it first."
    private static let walks = "Walks in it are for `pulselog import`; for anything else unpack it."
    private static let unread = "Files of this kind are not read."

    private static let convert = "Convert it: `iconv -f UTF-16 -t UTF-8`."

    /// What files of each kind have at an offset.
    private static let signatures: [(name: String, bytes: [UInt8], offset: Int, advice: String)] = [
        ("text in UTF-16", [0xFF, 0xFE], 0, convert),
        ("text in UTF-16", [0xFE, 0xFF], 0, convert),
        ("text in UTF-16", Array("{\0\"\0".utf8), 0, convert),
        ("text in UTF-16", Array("\0{\0\"".utf8), 0, convert),
        ("a gzip archive", [0x1F, 0x8B], 0, walks),
        ("a zip archive", Array("PK\u{3}\u{4}".utf8), 0, walks),
        ("an xz archive", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], 0, unpack),
        ("a bzip2 archive", Array("BZh".utf8), 0, unpack),
        ("a zstd archive", [0x28, 0xB5, 0x2F, 0xFD], 0, unpack),
        ("a 7z archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], 0, unpack),
        (
            "the data.mdb of a store", [0xDE, 0xC0, 0xEF, 0xBE], 16,
            "Name its folder: `pulselog replay store --store DIR`."
        ),
        (
            "an SQLite database", Array("SQLite format 3\0".utf8), 0,
            "One of Gadgetbridge is for `pulselog import`."
        ),
        ("a FIT file", Array(".FIT".utf8), 8, "It is for `pulselog import`."),
        (
            "an XML file", Array("<?xml".utf8), 0,
            "Walks and an export of Apple Health are for `pulselog import`, a GPX track also for "
                + "`pulselog record --position FILE.gpx`."
        ),
        ("a PDF file", Array("%PDF".utf8), 0, unread),
        ("a PNG picture", [0x89, 0x50, 0x4E, 0x47], 0, unread),
        ("a JPEG picture", [0xFF, 0xD8, 0xFF], 0, unread),
        ("a program", [0x7F, 0x45, 0x4C, 0x46], 0, unread),
    ]
}
