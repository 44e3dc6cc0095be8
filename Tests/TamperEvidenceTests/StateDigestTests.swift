import TamperEvidence
import Testing

@Suite("State digest")
struct StateDigestTests {
    @Test(
        "is SHA-256 as FIPS 180-4 gives it",
        arguments: [
            ("", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func vectors(_ text: String, _ expected: String) {
        #expect(StateDigest(ofCanonicalBytes: Array(text.utf8)).description == expected)
    }
}
