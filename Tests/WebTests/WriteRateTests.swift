import TestSupport
import Testing

@testable import Web

@Suite("How often one sender may write")
struct WriteRateTests {
    /// A burst of three, and one each second; by whom, when, and after how many seconds again.
    static let vectors: [(sender: String, at: UInt64, wait: UInt64?)] = [
        ("a", 5_000, nil), ("a", 5_000, nil), ("a", 5_000, nil), ("a", 5_000, 1),
        // What is refused is not counted, and another one has a share of its own.
        ("a", 5_999, 1), ("b", 5_999, nil), ("a", 6_000, nil), ("a", 6_000, 1),
        // After a long rest there is a burst again, and no more than that.
        ("a", 99_000, nil), ("a", 99_000, nil), ("a", 99_000, nil), ("a", 99_500, 1),
        ("a", 100_001, nil), ("a", 100_001, 1), ("b", 0, 5),
        ("c", .max >> 1, nil),
    ]

    @Test("is once each second in the long run, and three times at once")
    func table() {
        var rate = WriteRate(eachMilliseconds: 1_000, burst: 3)
        for (sender, now, wait) in Self.vectors {
            #expect(rate.secondsToWait(sender, at: now) == wait, "\(sender) at \(now)")
        }
    }

    @Test("remembers so many senders at most, and keeps those who write much")
    func bounded() {
        var rate = WriteRate(eachMilliseconds: 1_000, burst: 2)
        for _ in 0..<2 { #expect(rate.secondsToWait("busy", at: 0) == nil) }
        for sender in 0..<1_000 { #expect(rate.secondsToWait("\(sender)", at: 0) == nil) }
        #expect(rate.busyUntilMilliseconds.count == WriteRate.senderLimit)
        #expect(rate.secondsToWait("busy", at: 0) == 1)
    }

    @Test("is 60 totals and 10 commands at once, of each sender; all else is free")
    func errands() throws {
        let rates = WriteRates()
        for errand in Access.Errand.allCases {
            let most = [Access.Errand.totals: 60, .commands: 10][errand]
            for _ in 0..<(most ?? 1_000) { try rates.take(errand, of: "phone", at: 0) }
            if most != nil {
                let refusal = #expect(throws: HTTPRefusal.self) {
                    try rates.take(errand, of: "phone", at: 0)
                }
                #expect(refusal?.code == "tooOften" && refusal?.retryAfterSeconds == 1)
            }
            try rates.take(errand, of: "another phone", at: 0)
        }
    }

    @Test("ends with 429 and after how many seconds again; reading and strangers are not counted")
    func served() async throws {
        try await Bench.serving { bench in
            let stranger = Request(AccessToken(random: [UInt8](repeating: 9, count: 32))).bytes
            for _ in 0..<100 { #expect(try await bench.send(stranger).status == 401) }
            var replies: [Reply] = []
            while replies.last?.status ?? 200 == 200, replies.count < 200 {
                replies.append(try await bench.post(#"{"date":"2026-02-28","steps":8123}"#))
            }
            #expect(replies.count > 60)
            let refused = try #require(replies.last)
            #expect(refused.status == 429 && refused.text.contains("tooOften"))
            #expect(refused.has("Retry-After: 1"))
            for _ in 0..<100 { #expect(try await bench.get("/api/status").status == 200) }
        }
    }
}
