import Events
import Projections
import TestSupport

/// Two straps beside the pedometers, of a generator of their own: what is walked and told of steps
/// is the same with them and without.
extension [Happening] {
    private static let straps = [
        DeviceID(address: 0xC400_0000_0001, space: .random),
        DeviceID(address: 0xC400_0000_0002, space: .random),
    ]

    /// The same with values of straps at some readings of pedometers.
    func withHearts(seed: UInt64) -> [Happening] {
        var random = SeededGenerator(seed: ~seed)
        return flatMap { happening -> [Happening] in
            guard case .command(.record(.pedometerRead)) = happening.what, random.chance(50) else {
                return [happening]
            }
            var heart = happening
            let strap = Self.straps[random.chance(70) ? 0 : 1]
            // Of the last session, whichever that is then.
            if random.chance(3) {
                heart.what = .command(.exclude(strap, session: .max, random.chance(60)))
                return [happening, heart]
            }
            heart.what = .command(
                .record(
                    random.chance(4)
                        ? .contactChosen(ContactChosen(device: strap, ignored: random.chance(60)))
                        : .characteristicNotified(
                            CharacteristicNotified(device: strap, value: Self.value(&random)))))
            return [happening, heart]
        }
    }

    /// A value with an interval, so that hardly two are alike.
    private static func value(_ random: inout SeededGenerator) -> [UInt8] {
        let odd: [UInt64] = [0, 1, 19, 20, 254, 255, 256, 300, 301, 65_535]
        let beats = random.chance(30) ? odd[Int(random.below(10))] : 60 + random.below(120)
        let isWide = beats > 255 || random.chance(30)
        let contact: UInt8 = [0, 4, 6, 6][Int(random.below(4))]
        let interval = random.below(65_536)
        return [0x10 | contact | (isWide ? 1 : 0), UInt8(beats & 0xFF)]
            + (isWide ? [UInt8(beats >> 8)] : [])
            + [UInt8(interval & 0xFF), UInt8(interval >> 8)]
    }
}
