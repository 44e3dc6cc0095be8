internal import ArgumentParser
internal import Clocks
internal import JSON
internal import QRCodes
internal import Stores
internal import Terminal
internal import Text
internal import Web
internal import Words

/// `pulselog serve pair`.
struct PairPhone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Show the code by which one phone is let in to what is served.",
        discussion: """
            For a `serve`, or `record --serve`, that was given --listen. The code is valid once, \
            for two minutes: the phone scans it, or opens the address and types it.
            """)
    @Option(help: "What the phone may do.")
    var rights = PhoneRight.walk
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let offer = try common.open(.creating).phones
            .offer(for: rights.kind, at: .now(), random: Store.randomBytes)
        guard let offer else { throw CommandFailure(.unavailable, PhoneOffer.nobodyListens) }
        guard !common.json else { return Output.standard.write(offer.jsonLine) }
        let lines = offer.picture?.lines(isColored: common.isColored(.standard)) ?? []
        Output.standard.write(
            (lines + [
                "Scan this with the phone within 2 minutes, or open \(offer.address) there and "
                    + "type \(offer.code)"
            ]).joined(separator: "\n") + "\n")
    }
}

/// `pulselog serve devices`.
struct PhonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "The phones that are let in to what is served.",
        subcommands: [List.self, Name.self, Rights.self, Revoke.self, AddPush.self],
        defaultSubcommand: List.self)

    /// `pulselog serve devices list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Name, what it may do, since when, and last seen.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let phones = try common.open(.reading).phones.book().phones
            let lines = phones.lazy.map { phone in
                JSONWriter.line { json in
                    json.field("name", phone.name)
                    json.field("kind", phone.kind.right == nil ? phone.kind.rawValue : "page")
                    json.field("right", phone.kind.right)
                    json.field("pairedAt", TimeText.utc(phone.pairedAtMilliseconds))
                    json.field("seenAt", phone.seenAtMilliseconds.map(TimeText.utc))
                }
            }
            let nobody = "No phone is paired. `pulselog serve pair` pairs one."
            common.write(list: lines, orElse: nobody) {
                var table = TextTable(
                    .words("Name"), .words("May"), .words("Since, last seen"))
                for phone in phones {
                    let purpose = phone.kind == .push ? "push totals, positions" : "see the overlay"
                    table.add(
                        printable(phone.name), phone.kind.right ?? purpose,
                        phone.about(LocalZone.offsetMinutes))
                }
                return table
            }
        }
    }

    /// `pulselog serve devices name`.
    struct Name: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "name", abstract: "Call a phone something else.")
        @Argument(help: "Its name, as `pulselog serve devices` shows it.")
        var old: String
        @Argument(help: "Its new name.")
        var new: PhoneName
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try common.open(.existing).phones.change { book in
                let index = try book.place(of: old)
                try book.mind(new)
                book.phones[index].name = new.text
            }
            common.write("It is called \(new.text).\n") { $0.field("name", new.text) }
        }
    }

    /// `pulselog serve devices rights`.
    struct Rights: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rights", abstract: "Change what a phone may do, from now on.")
        @Argument(help: "Its name, as `pulselog serve devices` shows it.")
        var name: String
        @Argument(help: "What it may do.")
        var right: PhoneRight
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try common.open(.existing).phones.change { book in
                let index = try book.place(of: name)
                if let purpose = book.phones[index].kind.purpose {
                    throw CommandFailure(.usage, "\(printable(name)) \(purpose).")
                }
                book.phones[index].kind = right.kind
            }
            common.write("\(printable(name)) may \(right).\n") { $0.field("right", "\(right)") }
        }
    }

    /// `pulselog serve devices revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Stop letting a phone in, or all of them, at once.")
        @Argument(help: "Its name, as `pulselog serve devices` shows it.")
        var name: String?
        @Flag(help: "All phones, whatever is in their file.")
        var all = false
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try refuse((name == nil) != all, "Name a phone, or --all.")
        }

        func run() async throws {
            let store = try common.open(.existing)
            if let name {
                _ = try store.phones.change { $0.phones.remove(at: try $0.place(of: name)) }
            } else {
                try store.phones.revokeAll()
            }
            let words = name.map { "\(printable($0)) is no longer" } ?? "No phone is"
            common.write("\(words) let in.\n") { $0.field("name", name) }
        }
    }

    /// `pulselog serve devices add-push`.
    struct AddPush: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-push",
            abstract: "Show a new secret: a program reports totals and positions with it only.",
            discussion: """
                Give it to the phone's program, which sends it in the header Authorization after \
                the word Bearer. It is shown this once; only its hash is kept.
                """)
        @Argument(help: "What to call it.")
        var name: PhoneName
        @OptionGroup var common: CommonOptions

        func run() async throws {
            common.show(try common.open(.creating).phones.add(name, as: .push))
        }
    }
}

/// What a phone may do.
enum PhoneRight: String, CaseIterable, ExpressibleByArgument {
    case watch, walk, all

    var kind: Phone.Kind { Phone.Kind(right: rawValue) ?? .watch }
}

/// What somebody calls a phone.
struct PhoneName: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard !argument.isEmpty, argument.count <= Phone.nameLimit,
            printable(argument, limit: .max) == argument
        else { return nil }
        text = argument
    }
}

extension PhoneFile {
    /// Lets in a program, or whoever has a link.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - kind: What it may do.
    /// - Returns: Its secret.
    /// - Throws: ``CommandFailure``.
    func add(_ name: PhoneName, as kind: Phone.Kind) throws -> AccessToken {
        let secret = AccessToken(random: Store.randomBytes(AccessToken.randomBytes))
        _ = try change { book in
            try book.mind(name)
            guard !book.isFull else { throw CommandFailure(.usage, PhoneBook.fullSentence) }
            return book.add(name.text, kind, secret, at: .now())
        }
        return secret
    }
}

extension PhoneBook {
    /// Where the phone of a name stands.
    fileprivate func place(of name: String) throws(CommandFailure) -> Int {
        if let index = index(of: name) { return index }
        throw CommandFailure(
            .noInput,
            "No phone is called \(printable(name)). `pulselog serve devices` shows the names.")
    }

    /// Refuses a name that a phone has already.
    fileprivate func mind(_ name: PhoneName) throws(CommandFailure) {
        if index(of: name.text) == nil { return }
        throw CommandFailure(
            .usage, "Another phone is called \(name.text). Choose another name.")
    }
}
