internal import CPage
internal import NIOHTTP1

/// A file that the page in a browser is made of.
enum PageFile: Hashable, Sendable {
    /// One of ours, in this program: its path.
    case embedded(String)
    /// One of a library's, where its package puts it.
    case library(LibraryFile)

    /// Finds a file.
    ///
    /// - Parameter path: The path of a request, without its query; `/` is the page itself.
    init?(_ path: some StringProtocol) {
        let own = path == "/" ? "/index.html" : String(path)
        if Self.embedded[own] != nil {
            self = .embedded(own)
        } else if let file = LibraryFile(rawValue: own) {
            self = .library(file)
        } else {
            return nil
        }
    }

    /// The page itself.
    static let index = embedded("/index.html")
    /// What a phone that is not paired gets in its place.
    static let pairing = embedded("/pair.html")

    /// Whether it is needed to pair a phone: a stranger on the network gets no other file.
    var isForPairing: Bool {
        guard case .embedded(let path) = self else { return false }
        return [
            "/pair.html", "/pair.js", "/dom.js", "/words.js", "/css/pair.css", "/css/tokens.css",
            "/css/base.css", "/css/components.css", "/mark.svg",
        ].contains(path)
    }

    /// The answer to whoever asks for it.
    var response: Response {
        switch self {
        case .embedded(let path):
            return Response(type: Self.type(of: path), file: Self.embedded[path] ?? [])
        case .library(let file):
            guard let bytes = file.bytes else {
                return HTTPRefusal(
                    .notFound, "libraryMissing",
                    "\(file.path) cannot be read; run `apt-get install libjs-leaflet`."
                ).response
            }
            return Response(type: Self.type(of: file.path), file: bytes)
        }
    }

    /// The media type, by the ending of a name.
    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    /// The files of the program, by their paths: 250 KB, copied once.
    private static let embedded: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        while case let file = page_file_at(files.count), let path = file.path {
            files[String(cString: path)] = Array(
                UnsafeBufferPointer(start: file.bytes, count: file.count))
        }
        return files
    }()

    /// The paths of the files of the program, in order.
    static var embeddedPaths: [String] { embedded.keys.sorted() }
}
