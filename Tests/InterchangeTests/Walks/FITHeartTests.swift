import Events
import Interchange
import Testing

@Suite("Heart rates that a strap had stored, in FIT")
struct FITHeartTests {
    private typealias Value = FITMaker.Value

    private static func distances(_ file: inout FITMaker, hearts: ClosedRange<Int64>? = nil) {
        for second in stride(from: Int64(0), through: 600, by: 5) {
            let heart: [(UInt8, Value)] = hearts?.contains(second) == true ? [(3, .byte(90))] : []
            file.record(second, heart + [(5, .word(UInt32(second * 150)))])
        }
    }

    /// Two events with twelve bits each, and their heart rates.
    private static func pair(_ file: inout FITMaker, _ event: UInt32, _ ticks: UInt32, _ bpm: UInt8)
    {
        let (one, other) = (event & 0xFFF, (event + ticks) & 0xFFF)
        let bytes = [one & 255, one >> 8 | (other & 15) << 4, other >> 4].map(UInt8.init)
        file.add(132, [(10, .bytes(bytes)), (6, .bytes([bpm, bpm]))])
    }

    /// An event in full, by the strap's clock, and its time where the message says it.
    private static func beat(
        _ file: inout FITMaker, _ event: UInt32, at second: Int64? = nil, _ bpm: UInt8 = 110
    ) {
        let time = second.map { [(UInt8(253), Value.word(file.time($0)))] } ?? []
        file.add(132, time + [(9, .word(event)), (6, .byte(bpm))])
    }

    private static let walk = Figures(0, 600, 600, millimetres: 900_000, samples: 600)

    private static let files: [FiguresOfFile] = [
        FiguresOfFile("one a message, in full", [walk]) { file in
            distances(&file)
            for second in 0..<600 { beat(&file, 7_000 + UInt32(second) * 1_024, at: Int64(second)) }
            file.sum(0, elapsed: 600)
        },
        FiguresOfFile("before the records, and over the end of the strap's clock", [walk]) { file in
            beat(&file, UInt32.max - 5_000, at: 0)
            for second in 1..<600 { beat(&file, (UInt32.max - 5_000) &+ UInt32(second) * 1_024) }
            distances(&file)
            file.sum(0, elapsed: 600)
        },
        FiguresOfFile("in twelve bits", [walk]) { file in
            distances(&file)
            beat(&file, 4_000, at: 0, 60)
            for second in stride(from: UInt32(1), to: 599, by: 2) {
                pair(&file, 4_000 + second * 1_024, 1_024, 60)
            }
            beat(&file, 4_000 + 599 * 1_024, 60)
            file.sum(0, elapsed: 600)
        },
        FiguresOfFile(
            "of which some have no heart rate",
            [Figures(0, 600, 600, millimetres: 900_000, samples: 1)]
        ) { file in
            distances(&file)
            beat(&file, 0, at: 0)
            beat(&file, 1_024, 255)
            beat(&file, 2_048, 0)
            file.sum(0, elapsed: 600)
        },
        FiguresOfFile(
            "where records have them, too",
            [Figures(0, 600, 600, millimetres: 900_000, samples: 61 + 290)],
            leftOut: ["stored heart rates that records have, too"]
        ) { file in
            distances(&file, hearts: 0...300)
            for second in 0..<600 { beat(&file, UInt32(second) * 1_024, at: Int64(second)) }
            file.sum(0, elapsed: 600)
        },
        FiguresOfFile(
            "that go on after the walk", [walk],
            leftOut: ["stored heart rates from before or after the walk"]
        ) { file in
            distances(&file)
            beat(&file, 0, at: 0)
            for second in 1..<601 { beat(&file, UInt32(second == 600 ? 700 : second) * 1_024) }
            file.sum(0, elapsed: 600)
        },
        FiguresOfFile(
            "of which nobody knows when", [Figures(0, 600, 600, millimetres: 900_000)],
            leftOut: ["FIT messages without a date that fits"]
        ) { file in
            distances(&file)
            beat(&file, 1_024)
            file.sum(0, elapsed: 600)
        },
    ]

    @Test("are read once, wherever they stand", arguments: files)
    func stored(_ file: FiguresOfFile) { file.expect() }

    @Test("are beats with the time between them, where that fits the heart rate")
    func intervals() throws {
        let bytes = FITMaker { file in
            Self.distances(&file)
            Self.beat(&file, 0, at: 0, 60)
            for (event, bpm) in [(1_024, 60), (2_000, 62), (9_000, 60), (10_024, 120)] {
                Self.beat(&file, UInt32(event), UInt8(bpm))
            }
            file.sum(0, elapsed: 600)
        }.bytes
        let hearts = readWalks(.fit, bytes).facts.facts.map(\.fact).filter {
            if case .characteristicNotified = $0 { true } else { false }
        }
        #expect(
            hearts == [
                .heartRate(60, rrTicks: []), .heartRate(60, rrTicks: [1_024]),
                .heartRate(62, rrTicks: [976]), .heartRate(60, rrTicks: []),
                .heartRate(120, rrTicks: []),
            ])
    }
}
