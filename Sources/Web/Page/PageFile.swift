internal import CPage
internal import NIOHTTP1

/// A file that a browser gets.
///
/// Styles and modules are joined, and all but documents have names that say what is in them: a
/// browser keeps them for as long as it likes.
struct PageFile: Hashable, Sendable {
    /// Its path, before it is known what is in it.
    private let name: String

    /// The page itself.
    static let index = PageFile(name: "/index.html")
    /// What a phone that is not paired gets in its place.
    static let pairing = PageFile(name: "/pair.html")

    private static let ofPage: Set = ["/index.html", "/style.css", "/app.js"]
    private static let ofPairing: Set = ["/pair.html", "/pair.css", "/pair.js", "/mark.svg"]

    /// Whether it is needed to pair a phone: a stranger on the network gets no other file.
    var isForPairing: Bool { Self.ofPairing.contains(name) }

    /// Where it is served, if it is no document; nil if it cannot be read.
    var address: String? {
        text.map { text in name.replacing(#/\.\w+$/#) { "-\(text.digest.prefix(16))\($0.0)" } }
    }

    /// The answer to whoever asks for it.
    ///
    /// - Parameter path: The path that was asked for.
    /// - Returns: The file, or a refusal if the path is not that of what is in it.
    func response(at path: some StringProtocol) -> Response {
        guard let text else {
            return HTTPRefusal(.notFound, "libraryMissing", "\(name) cannot be read.").response
        }
        let types = ["html": "text/html", "css": "text/css", "js": "text/javascript"]
        let type = types[ending].map { "\($0); charset=utf-8" } ?? "image/svg+xml"
        if ending == "html" { return Response(type: type, file: Array(text.utf8)) }
        // It may be another program's, or a library's before it was updated.
        guard path == address ?? "" else { return HTTPRefusal.notFound.response }
        let kept = "public, max-age=31536000, immutable"
        return Response(type: type, file: Array(text.utf8), kept: kept)
    }

    private var ending: String { name.split(separator: ".").last.map(String.init) ?? "" }

    private var text: String? {
        guard let text = Self.source(of: name) else { return nil }
        return switch ending {
        case "html": Self.document(text)
        case "css": Self.styles(text)
        default: Self.scripts[name] ?? text
        }
    }

    /// Each module that a document asks for, after those that it imports: joined once.
    private static let scripts = ["/app.js": script("/app.js"), "/pair.js": script("/pair.js")]

    /// What is in a file of the program or of a library; nil if that cannot be read.
    static func source(of path: String) -> String? {
        let library = LibraryFile(rawValue: path)?.bytes
        return embedded[path] ?? library.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The files of the program, by their paths: 250 KB, copied once.
    static let embedded: [String: String] = {
        var files: [String: String] = [:]
        while case let file = page_file_at(files.count), let path = file.path {
            files[String(cString: path)] = String(cString: file.text)
        }
        return files
    }()
}

extension PageFile {
    /// Finds a file.
    ///
    /// - Parameter path: The path of a request, without its query; `/` is the page itself.
    init?(_ path: some StringProtocol) {
        name = path == "/" ? "/index.html" : String(path).replacing(#/-\w{16}(?=\.\w+$)/#, with: "")
        let isOurs = Self.ofPage.contains(name) || Self.ofPairing.contains(name)
        guard isOurs || LibraryFile(rawValue: name) != nil else { return nil }
    }
}
