import Events
import Foundation
import TestSupport
import Testing

/// The README shows a screen; it is one that the program draws.
@Suite("The README's screen")
struct ReadmeScreenTests {
    @Test("is what the program draws of a walk")
    func screen() throws {
        var walk = try Walk()
        let pod = DeviceID(address: 0xC400_0000_0003, space: .random)
        try walk.begin(Goal(kind: .steps, target: 6_000))
        try walk.story.add(.pedometerChosen(PedometerChosen(device: pod)))
        try walk.story.add(.pedometerRead(PedometerRead(device: pod, reading: .counter(1_000))))
        let climb = (0..<240).map { UInt8(90 + $0 / 4) }
        let rest = (0..<200).map { UInt8(150 - $0 / 5) }
        try walk.beat(climb + rest)
        try walk.story.add(.linkLost(LinkLost(device: Story.strap)))
        walk.story.now += 80_000
        try walk.beat(Array(repeating: 118, count: 60) + Array(repeating: 132, count: 40))
        try walk.story.add(.pedometerRead(PedometerRead(device: pod, reading: .counter(3_018))))
        try walk.story.add(.sessionMarked(SessionMarked(text: "bridge")))
        walk.show()
        let readme = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appending(
                    path: "README.md"),
            encoding: .utf8)
        let screen = walk.lines(80, 17).joined(separator: "\n")
        #expect(readme.contains("```\n\(screen)\n```"), "The program draws:\n\(screen)")
    }
}
