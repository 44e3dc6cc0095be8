import Decoding
import Events
import JSON
import Testing

@testable import Words

@Suite("Values that are no reading")
struct HeartRateDoubtTests {
    /// The bytes of a Heart Rate Measurement, and what is said of its number of beats.
    static let hearts: [(value: [UInt8], text: String)] = [
        ([0, 255], "255 BPM, not credible (no reading)"), ([0, 254], "254 BPM"), ([0, 0], "0 BPM"),
        ([0, 19], "19 BPM, not credible (outside 20 to 300)"), ([0, 20], "20 BPM"),
        ([1, 255, 0], "255 BPM"), ([1, 44, 1], "300 BPM"),
        ([1, 45, 1], "301 BPM, not credible (outside 20 to 300)"),
        ([1, 255, 255], "65535 BPM, not credible (no reading)"),
    ]

    @Test("are named where a heart rate is decoded", arguments: hearts)
    func heartRates(_ vector: (value: [UInt8], text: String)) throws {
        let text = try DecodedValue(.heartRateMeasurement, vector.value).text
        #expect(text == vector.text + ", contact not supported\n")
    }

    @Test("say of a value of another form that it is one, wherever it is shown")
    func otherForm() throws {
        let value: [UInt8] = [0x48, 0x52, 0x3A, 0x20, 0x37, 0x32]
        let words = try HeartRateMeasurement(decoding: value.span).doubtWords
        #expect(words == "not credible (reserved flags, bytes left over)")
        #expect(try DecodedValue(.heartRateMeasurement, value).text.contains(words ?? "?"))
    }

    @Test("are neither a foot pod's cadence nor its speed")
    func cadences() throws {
        let vectors: [(value: [UInt8], text: String, json: String)] = [
            (
                [0, 0, 3, 254], "speed 768/256 m/s, cadence 254 per minute",
                "768,\"cadencePerMinute\":254"
            ),
            (
                [0, 0, 0, 255], "speed 0/256 m/s, cadence not credible (no reading)",
                "0,\"cadencePerMinute\":null"
            ),
            (
                [0, 255, 255, 80], "speed not credible (no reading), cadence 80 per minute",
                "null,\"cadencePerMinute\":80"
            ),
        ]
        for (value, text, json) in vectors {
            let decoded = try DecodedValue(.runningSpeedCadenceMeasurement, value)
            #expect(decoded.text == "walking, \(text)\n")
            #expect(String(decoding: decoded.jsonLine, as: UTF8.self).contains(json))
        }
    }
}
