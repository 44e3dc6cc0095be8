internal import JSON
internal import Recording
internal import Threads
internal import WalkService

/// Tells what map there is, and lends its tiles.
struct MapEndpoint: Sendable {
    /// How long a browser keeps a tile: whoever moves a map to and fro asks for each once.
    private static let kept = "private, max-age=600"

    let tiles: MapTiles?
    private let thread = ReadingThread(label: "map")

    /// What map there is.
    var about: Response {
        .json { json in
            guard let tiles else { return json.field("tiles", nil as Int?) }
            json.object("tiles") { json in
                json.field("minZoom", tiles.zooms.lowerBound)
                json.field("maxZoom", tiles.zooms.upperBound)
                json.field("attribution", tiles.attribution)
            }
        }
    }

    /// A tile of it; nothing where there can be none.
    func tile(at place: MapTiles.Place?) async -> Response {
        guard let tiles, let place else { return .nothing() }
        // Its files are a stranger's: reading them may take for ever.
        let answer = await value(within: WalkService.limit) { [thread] in
            await withTaskExecutorPreference(thread) { @concurrent () -> Response? in
                if Task.isCancelled { return nil }
                guard let tile = tiles.tile(at: place) else { return .nothing(kept: Self.kept) }
                return Response(type: tile.type, file: tile.bytes, kept: Self.kept)
            }
        }
        return (answer ?? nil) ?? .nothing()
    }
}
