import Fleet
import Testing

/// Seeds and public keys of users, made by another implementation (nkeys of nats-io, in Python).
private let vectors: [(seed: [UInt8], text: String, key: String)] = [
    (
        [UInt8](repeating: 0, count: 32),
        "SUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEQ",
        "UA5WUJ54Z23KILLCUOUNAKTPBVZWKMQVO4O6EQ5GHLAERIMLLHNCTYM5"
    ),
    (
        Array(0..<32), "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y",
        "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK"
    ),
    (
        [UInt8](repeating: 255, count: 32),
        "SUAP777777777777777777777777777777777777777777777777775UUA",
        "UB3KCWJAISTOJ5IREZN4U45GATMQWBJJ2HPWAK7DBIM2SJLWMDI7LRYD"
    ),
]

@Suite("A key of NATS")
struct NkeyTests {
    @Test("is written as others write it", arguments: vectors)
    func text(_ vector: (seed: [UInt8], text: String, key: String)) throws {
        let key = try #require(Nkey(seed: vector.seed))
        #expect(key.seedText == vector.text)
        #expect(key.publicKey == vector.key)
        #expect(Nkey(seedText: vector.text) == key)
    }

    @Test("is no key with any character changed, one too many, or of another kind")
    func strangers() {
        let text = Array(vectors[1].text)
        for index in text.indices {
            var other = text
            other[index] = other[index] == "A" ? "B" : "A"
            #expect(Nkey(seedText: String(other)) == nil, "\(String(other))")
        }
        let others = [
            vectors[0].key, vectors[1].text + "A", String(text.dropLast()), "", "SU", "é",
        ]
        for words in others { #expect(Nkey(seedText: words) == nil, "\(words)") }
        #expect(Nkey(seed: [1, 2, 3]) == nil)
    }
}
