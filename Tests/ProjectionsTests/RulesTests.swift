import Projections
import Testing

@Suite("Rules and numbers")
struct RulesTests {
    @Test("what-if settings are read")
    func settings() throws {
        var rules = Rules()
        for setting in [
            "graceMilliseconds=20000", "silenceMilliseconds=0", "stridePermille=430",
            "carryOverlap=true", "cadenceMilliseconds=2000", "zones=90,120,150",
            "copyMilliseconds=0", "coverUnheard=false", "countNoContact=true", "countZero=true",
            "rrFromMilliseconds=400", "rrToMilliseconds=1500", "rrPercent=30",
        ] {
            try rules.set(setting)
        }
        #expect(rules.graceMilliseconds == 20_000)
        #expect(rules.silenceMilliseconds == 0)
        #expect(rules.stridePermille == 430)
        #expect(rules.carryOverlap)
        #expect(rules.cadenceMilliseconds == 2_000)
        #expect(rules.zones == Zones(limitsBPM: 90, 120, 150))
        #expect(rules.copyMilliseconds == 0)
        #expect(!rules.coverUnheard)
        #expect(rules.countNoContact && rules.countZero)
        let artefacts = rules.artefacts
        #expect(artefacts.fromMilliseconds == 400 && artefacts.toMilliseconds == 1_500)
        #expect(artefacts.percent == 30)
        #expect(rules.canonicalBytes() != Rules().canonicalBytes())
    }

    static let refused: [(setting: String, code: RuleError.Code)] = [
        ("grace=1", .unknownKey), ("graceMilliseconds", .malformed), ("", .malformed),
        ("graceMilliseconds=", .malformed), ("graceMilliseconds=-1", .malformed),
        ("graceMilliseconds=+1", .malformed), ("graceMilliseconds=86400001", .outOfRange),
        ("stridePermille=2001", .outOfRange), ("carryOverlap=1", .malformed),
        ("coverUnheard=no", .malformed),
        ("countZero=1", .malformed), ("rrPercent=101", .outOfRange),
        ("rrToMilliseconds=64001", .outOfRange),
        ("zones=1,2", .malformed), ("zones=3,2,1", .outOfRange), ("zones=1,2,70000", .outOfRange),
    ]

    @Test("others are refused and change nothing", arguments: refused)
    func refuses(vector: (setting: String, code: RuleError.Code)) {
        var rules = Rules()
        let error = #expect(throws: RuleError.self) { try rules.set(vector.setting) }
        #expect(error?.code == vector.code)
        #expect(error?.description.isEmpty == false)
        #expect(rules == Rules())
    }

    @Test("a refusal says what the rule's value looks like")
    func words() {
        for (setting, words) in [
            ("rrPercent=101", "a whole number from 0 to 100"), ("countZero=1", "true or false"),
            ("zones=3,2,1", "three rising bounds"), ("rrPercent=x", "from 0 to 100"),
        ] {
            var rules = Rules()
            do throws(RuleError) {
                try rules.set(setting)
            } catch {
                #expect(error.description.contains(words), "\(error)")
            }
        }
    }

    @Test("the recorder's rules have the bytes that they had before there were more")
    func bytes() {
        #expect(
            Rules().canonicalBytes()
                == [0x90, 0x4E, 0x88, 0x27, 0x9F, 0x03, 0, 0x88, 0x27, 0, 20, 1])
    }

    static let quotients: [(dividend: UInt64, divisor: UInt64, text: String?)] = [
        (1_647, 20, "82.35"), (0, 3, "0.00"), (1, 3, "0.33"), (2, 3, "0.67"), (1, 200, "0.01"),
        (1, 201, "0.00"), (5, 1, "5.00"), (1, 0, nil), (1 << 53 - 1, 1 << 53 - 1, "1.00"),
    ]

    @Test("quotients are rounded half up to two decimals", arguments: quotients)
    func rounds(vector: (dividend: UInt64, divisor: UInt64, text: String?)) {
        #expect(Hundredths(vector.dividend, over: vector.divisor)?.description == vector.text)
    }
}
