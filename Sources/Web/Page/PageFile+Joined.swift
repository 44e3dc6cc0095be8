internal import TamperEvidence

extension PageFile {
    /// A document, which asks for what it needs under names that say what is in it.
    static func document(_ text: String) -> String {
        text.replacing(#/"/?([\w/.-]+\.(?:css|js|svg))"/#) { name in
            "\"\(PageFile("/\(name.1)")?.address ?? "/\(name.1)")\""
        }
    }

    /// The overlay: one document, with all that it needs in it, and nothing more.
    static let overlay: Response = {
        let styles = Self.styles(source(of: "/overlay.css") ?? "")
        let script = Self.script("/overlay.js")
        let icons = source(of: "/index.html")?.firstMatch(of: #/<svg[\s\S]+?</svg>/#)?.output
        let text = (source(of: "/overlay.html") ?? "")
            .replacing("<svg></svg>", with: icons ?? "")
            .replacing(#/<link.*>/#) { _ in "<style>\(styles)</style>" }
            .replacing(#/<script.*>/#) { _ in "<script type=\"module\">\(script)</script>" }
        func hash(_ text: String) -> String {
            "'sha256-\(Base64.text(of: FileDigest(Array(text.utf8)).bytes))'"
        }
        var response = Response(type: "text/html; charset=utf-8", file: Array(text.utf8))
        response.sources =
            "default-src 'none'; connect-src 'self'; style-src \(hash(styles)); "
            + "script-src \(hash(script))"
        return response
    }()

    /// A stylesheet, with what it imports in place.
    static func styles(_ text: String) -> String {
        text.replacing(#/@import url\("/?(.+?)"\);/#) { source(of: "/\($0.1)") ?? "" }
    }

    /// A module, after all that it imports.
    ///
    /// Each becomes a function that returns what the module exports, so modules may have the same
    /// names. None may import what imports it.
    static func script(_ path: String) -> String {
        var (script, joined) = ("const modules = {};\n", Set<String>())
        func join(_ path: String) {
            guard joined.insert(path).inserted, let source = source(of: path) else { return }
            let folder = path.replacing(#/[^/]+$/#, with: "")
            let text = source.replacing(#/\nimport (?:\* as )?([^"]+) from "(\.+\/)(.+)";/#) {
                let module = ($0.2 == "./" ? folder : "/") + $0.3
                join(module)
                return "\nconst \($0.1) = modules[\"\(module)\"];"
            }
            let exports = text.matches(of: #/\nexport (?:async )?\w+ (\w+)/#).map(\.1)
            let body = text.replacing("\nexport ", with: "\n")
            let names = exports.joined(separator: ", ")
            script += "modules[\"\(path)\"] = (() => {\n\(body)return { \(names) };\n})();\n"
        }
        join(path)
        return script
    }
}
