extension PageFile {
    /// A document, which asks for what it needs under names that say what is in it.
    static func document(_ text: String) -> String {
        text.replacing(#/"/?([\w/.-]+\.(?:css|js|svg))"/#) { name in
            "\"\(PageFile("/\(name.1)")?.address ?? "/\(name.1)")\""
        }
    }

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
