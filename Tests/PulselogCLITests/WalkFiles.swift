import Compression
import Foundation

/// Files of walks on 2026-03-01, as other programs write them; a walk takes a minute.
enum WalkFiles {
    /// A second of the walk that begins so many minutes after 09:00.
    private static func time(_ minute: Int, _ second: Int) -> String {
        String(format: "2026-03-01T%02d:%02d:%02dZ", 9 + minute / 60, minute % 60, second)
    }

    /// A table of heart rates, one a second.
    static func csv(_ minute: Int = 0, from bpm: Int = 100) -> [UInt8] {
        let rows = (0..<60).map {
            "\(time(minute, $0)),\(bpm + $0 % 5),\($0 * 2),\($0 * 2)\n"
        }
        return Array(("time,bpm,distance_m,steps\n" + rows.joined()).utf8)
    }

    /// A track of positions with heart rates, one a second.
    static func track(_ minute: Int, from bpm: Int = 100, type: String = "walking") -> String {
        let points = (0..<60).map {
            """
            <trkpt lat="48.\(1_000 + $0)" lon="11"><time>\(time(minute, $0))</time>
            <extensions><hr>\(bpm + $0 % 3 + 1)</hr></extensions></trkpt>
            """
        }
        return "<trk><type>\(type)</type><trkseg>\(points.joined())</trkseg></trk>"
    }

    /// A file of a track.
    static func gpx(_ minute: Int = 0, from bpm: Int = 100) -> [UInt8] {
        Array("<gpx>\(track(minute, from: bpm))</gpx>".utf8)
    }

    /// A workout as Apple Health exports it.
    static func workout(
        _ kind: String, _ begin: String, _ end: String, _ zone: String, _ parts: String = ""
    ) -> String {
        """
        <Workout workoutActivityType="HKWorkoutActivityType\(kind)"
        startDate="2026-\(begin):00 \(zone)" endDate="2026-\(end):00 \(zone)">\(parts)</Workout>
        """
    }

    /// A zip archive of stored files.
    static func zip(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(number >> (8 * $0) & 255) }
        }
        var (archive, list): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in files {
            var checksum = CRC32()
            checksum.take(bytes)
            let fields =
                little(20, 2) + little(0, 8) + little(Int(checksum.value), 4)
                + little(bytes.count, 4) + little(bytes.count, 4) + little(name.utf8.count, 2)
                + little(0, 2)
            list += [0x50, 0x4B, 1, 2] + little(20, 2) + fields + little(0, 10)
            list += little(archive.count, 4) + Array(name.utf8)
            archive += [0x50, 0x4B, 3, 4] + fields + Array(name.utf8) + bytes
        }
        return archive + list + [0x50, 0x4B, 5, 6] + little(0, 4) + little(files.count, 2)
            + little(files.count, 2) + little(list.count, 4) + little(archive.count, 4)
            + little(0, 2)
    }
}
