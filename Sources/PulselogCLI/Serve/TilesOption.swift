internal import ArgumentParser
internal import Web
internal import Words

/// The map that the page's tracks lie on.
struct TilesOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A map for the page: an MBTiles file with pictures; without one tracks lie on a grid.",
            valueName: "file"))
    var tiles: String?

    /// Looks into the file.
    ///
    /// - Returns: Its tiles; nil if no file is named.
    /// - Throws: ``CommandFailure`` if it cannot be used.
    func open() throws(CommandFailure) -> MapTiles? {
        guard let tiles else { return nil }
        do throws(MapTilesError) {
            return try MapTiles(reading: tiles)
        } catch {
            throw CommandFailure(
                error.code == .unreadable ? .noInput : .badData, error.description)
        }
    }
}
