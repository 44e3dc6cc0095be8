import ArgumentParser
import Events
import Foundation
import Interchange
import TestSupport

/// The places that a receiver passes.
enum Track {
    /// A circle of 100 m around a place in a park, a place every 1.4 m: a second of walking.
    static let round: [GpsdLines.Place] = (0..<449).map { index in
        let angle = Double(index) / 449 * 2 * .pi
        // Degrees times 10^7 of 100 m, to the north and, at 48 degrees, to the east.
        let north = (sin(angle) * 8_993).rounded()
        let east = (cos(angle) * 13_476).rounded()
        return GpsdLines.Place(
            latitudeE7: 481_500_000 + Int64(north), longitudeE7: 115_900_000 + Int64(east))
    }

    /// The points of a GPX file.
    ///
    /// - Throws: A sentence if it cannot be read, or has no points with a time.
    static func read(_ path: String) throws -> [GpsdLines.Place] {
        var reader = GPXTrackReader()
        let fixes = reader.push([UInt8](try Data(contentsOf: URL(filePath: path))))
        if let damage = reader.damage { throw ValidationError(damage) }
        guard !fixes.isEmpty else { throw ValidationError("\(path) has no points with a time.") }
        return fixes.map {
            GpsdLines.Place(
                latitudeE7: $0.latitudeE7, longitudeE7: $0.longitudeE7,
                altitudeMillimetres: $0.altitudeMillimetres ?? 0)
        }
    }
}
