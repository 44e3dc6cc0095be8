internal import Clocks
internal import JSON
internal import NIOHTTP1
internal import Threads
internal import Words

/// Where a phone is paired, and where the page of this machine shows the phones, makes a code for
/// another and ends one.
struct PhoneEndpoint: Sendable {
    let file: PhoneFile
    let random: @Sendable (Int) -> [UInt8]
    let offsetMinutes: @Sendable (Int64) -> Int64
    private let thread = ReadingThread(label: "phones")
    /// Whoever only looks does not wait for another's change.
    private let looking = ReadingThread(label: "phones-look")

    /// The phones that are paired.
    func list() async throws(HTTPRefusal) -> Response {
        list(try await onThread { file in try file.book() })
    }

    /// Makes a code, to pair a phone.
    func code(_ request: HTTPRequest) async throws(HTTPRefusal) -> Response {
        let kind = try Self.field("right", in: request, else: "walk", Phone.Kind.init(right:))
        let offer = try await onThread { [random] file in
            try file.offer(for: kind, at: .now(), random: random)
        }
        if let offer { return Response(.ok, body: offer.jsonLine) }
        throw HTTPRefusal(.conflict, "notListening", PhoneOffer.nobodyListens)
    }

    /// Lets a phone in no longer, or gives it another right.
    func change(_ request: HTTPRequest, isEnd: Bool) async throws(HTTPRefusal) -> Response {
        let name = try Self.field("name", in: request)
        let right =
            try isEnd ? nil : Self.field("right", in: request, Phone.Kind.init(right:))
        let book = try await onThread { file in
            try file.change { book in
                guard let index = book.index(of: name) else { return book }
                if right == nil { book.phones.remove(at: index) }
                if let right { book.phones[index].kind = right }
                return book
            }
        }
        return list(book)
    }

    /// Pairs whoever comes with the code.
    func pair(_ request: HTTPRequest) async throws(HTTPRefusal) -> Response {
        let code = try Self.field("code", in: request)
        let secret = AccessToken(random: random(AccessToken.randomBytes))
        // Strangers on the network need not know of this machine's folders.
        let trouble = "No phone can be paired now. The machine that records says why."
        let redemption = try await onThread(saying: trouble) { file in
            try file.change { $0.redeem(code, for: secret, at: .now()) }
        }
        switch redemption {
        case .paired(let name):
            let head = request.head
            var response = Response.json { $0.field("name", name) }
            // 400 days: no browser keeps a cookie for longer.
            let isSecure = try head.value("origin")?.hasPrefix("https:") ?? false
            response.keep(
                secret, host: try head.value("host")?.lowercased() ?? "",
                "; Max-Age=34560000\(isSecure ? "; Secure" : "")")
            return response
        case .wrong:
            throw HTTPRefusal(
                .forbidden, "wrongCode",
                "This code is wrong, or no longer valid. `pulselog serve pair` shows another.")
        case .tooMany:
            throw HTTPRefusal(
                .tooManyRequests, "tooManyCodes",
                "Too many wrong codes were typed. Try again in a minute, or scan the code.",
                fields: ["Retry-After": "\(PhoneBook.windowMilliseconds / 1_000)"])
        case .full: throw HTTPRefusal(.conflict, "tooManyPhones", PhoneBook.fullSentence)
        }
    }

    private func list(_ book: PhoneBook) -> Response {
        let now = Arrival.now()
        return .json { json in
            json.field("address", book.address)
            json.field("good", book.codeWords(at: now))
            json.list("phones", book.phones) { json, phone in
                json.field("name", phone.name)
                json.field("right", phone.kind.right)
                json.field("facts", phone.facts(at: now, offsetMinutes))
            }
        }
    }

    /// Reads or changes the file where that keeps nobody else waiting.
    ///
    /// - Parameters:
    ///   - trouble: What is said if it fails; nil for why.
    ///   - body: Reads or changes it.
    /// - Returns: What `body` returns.
    /// - Throws: ``HTTPRefusal``.
    private func onThread<Value: Sendable>(
        saying trouble: String? = nil, _ body: @escaping @Sendable (PhoneFile) throws -> Value
    ) async throws(HTTPRefusal) -> Value {
        do {
            return try await withTaskExecutorPreference(thread) { @concurrent in try body(file) }
        } catch {
            let known = trouble ?? (error as? CommandFailure)?.message
            throw HTTPRefusal(.serviceUnavailable, "phonesUnreadable", known ?? "\(error)")
        }
    }

    /// What a field of a body says.
    private static func field<Value>(
        _ name: String, in request: HTTPRequest, else usual: String? = nil,
        _ make: (String) -> Value? = { $0 }
    ) throws(HTTPRefusal) -> Value {
        let value = try JSONValue(body: request.bytes, limitBytes: 512, depth: 2)
        if let made = (value[name]?.text ?? usual).flatMap(make) { return made }
        throw HTTPRefusal(
            .unprocessableEntity, "unrecognized", "A body is an object with a `\(name)`.")
    }

    // MARK: - Those that are in

    /// Looks who is let in now, where that keeps nobody else waiting, and nobody keeps it waiting.
    ///
    /// - Parameter done: Called then, on a thread of its own.
    func look(_ done: @escaping @Sendable () -> Void) {
        looking.run { [file] in
            file.look()
            done()
        }
    }

    /// A phone as it is now; nil if it is no longer let in.
    func current(_ phone: Phone) async -> Phone? {
        await withCheckedContinuation { continuation in look { continuation.resume() } }
        return file.admitted.phones.first { $0.secretDigest == phone.secretDigest }
    }

    /// Notes now and then that a phone is heard of.
    func note(_ phone: Phone) async {
        let now = Arrival.now()
        guard phone.isWorthNoting(at: now) else { return }
        do throws(HTTPRefusal) {
            try await onThread { file in
                try file.change { book in
                    // The first of several requests at once has noted it: it is not found again.
                    guard let index = book.phones.firstIndex(of: phone) else { return }
                    book.phones[index].seenAtMilliseconds = now.wallMilliseconds
                }
            }
        } catch {
            return  // It is let in all the same.
        }
    }
}
