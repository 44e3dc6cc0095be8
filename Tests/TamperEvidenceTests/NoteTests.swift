@testable import TamperEvidence
import Testing

@Suite("Signed notes")
struct NoteTests {
    /// The key and the note of the documentation of Go's note package.
    private static let vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    private static let skey =
        "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    private static let text =
        "If you think cryptography is the answer to your problem,\n"
        + "then you don't know what your problem is.\n"
    private static let note =
        text + "\n\u{2014} PeterNeumann "
        + "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6Ryy"
        + "BwJnAM=\n"

    @Test("are those of Go's note package: key, signature, text")
    func vectors() throws {
        let signer = try #require(NoteSigner(text: Self.skey))
        #expect(signer.text == Self.skey)
        #expect(signer.verifier.vkey == Self.vkey)
        let verifier = try #require(NoteVerifier(vkey: Self.vkey))
        #expect(SignedNote(signing: Self.text, with: signer).content == Self.note)
        #expect(try #require(SignedNote(Self.note)).text(signedBy: verifier) == Self.text)
    }

    @Test("are refused with any byte changed, by its own key")
    func changedNotes() throws {
        let verifier = try #require(NoteVerifier(vkey: Self.vkey))
        for text in Self.changed(Self.note) {
            #expect(SignedNote(text)?.text(signedBy: verifier) == nil, "\(text)")
        }
    }

    /// A text with each of its bits changed, as far as it is one then.
    private static func changed(_ text: String) -> [String] {
        let content = Array(text.utf8)
        return (0..<8 * content.count).compactMap { bit in
            var changed = content
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            return String(validating: changed, as: UTF8.self)
        }
    }

    @Test("keys are refused with any byte changed, but for those that are another key")
    func changedKeys() {
        for (key, isKey) in [
            (Self.vkey, { NoteVerifier(vkey: $0) != nil }),
            (Self.skey, { NoteSigner(text: $0) != nil }),
        ] {
            for text in Self.changed(key) { #expect(!isKey(text), "\(text)") }
        }
    }

    @Test(
        "are no notes without a text, a blank line, a dash, a name, a signature",
        arguments: [
            "", "\n", "\n\n", "text\n", "text\n\n", "text\n\n\u{2014} name\n",
            "text\n\n\u{2014} name AAAA\n", "text\n\n- name AAAAAAAA\n",
            "text\n\n\u{2014} name AAAAAAAA", "text\r\n\n\u{2014} name AAAAAAAA\n",
        ])
    func malformed(_ text: String) {
        #expect(SignedNote(text) == nil)
    }

    @Test("a key that did not sign sees no text, and a bad signature of a known key spoils a note")
    func otherKeys() throws {
        let other = try #require(NoteSigner(name: "other", seed: [UInt8](repeating: 1, count: 32)))
        let verifier = try #require(NoteVerifier(vkey: Self.vkey))
        let note = try #require(SignedNote(Self.note))
        #expect(note.text(signedBy: other.verifier) == nil)
        let line = "\u{2014} other AAAAAAAAAAAA\n"
        let cosigned = try #require(SignedNote(Self.note + line))
        #expect(cosigned.text(signedBy: verifier) == Self.text, "A stranger's line is passed over.")
        let wrong = Self.note.split(separator: "\n").last.map { $0.dropLast(8) + "AAAAAAM=\n" }
        let spoiled = try #require(SignedNote(Self.note + (wrong ?? "")))
        #expect(spoiled.text(signedBy: verifier) == nil)
    }
}

@Suite("Checkpoints")
struct CheckpointTests {
    private static let signer = NoteSigner(
        name: "pulselog/00", seed: [UInt8](repeating: 9, count: 32))

    @Test("are three lines, signed")
    func roundTrip() throws {
        let signer = try #require(Self.signer)
        let checkpoint = Checkpoint(origin: "pulselog/00", size: 4_711, root: .ofEmptyTree)
        let note = checkpoint.signed(by: signer)
        #expect(
            note.content.hasPrefix(
                "pulselog/00\n4711\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\u{2014} "))
        #expect(Checkpoint(note, signedBy: signer.verifier) == checkpoint)
    }

    @Test(
        "are refused in any other form, however well signed",
        arguments: [
            "pulselog/00\n4711\n", "pulselog/01\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "pulselog/00\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "pulselog/00\n+1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "pulselog/00\n-1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
            "pulselog/00\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==\n",
            "pulselog/00\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nmore\n",
        ])
    func malformed(_ text: String) throws {
        let signer = try #require(Self.signer)
        let note = SignedNote(signing: text, with: signer)
        #expect(note.text(signedBy: signer.verifier) == text)
        #expect(Checkpoint(note, signedBy: signer.verifier) == nil)
    }
}
