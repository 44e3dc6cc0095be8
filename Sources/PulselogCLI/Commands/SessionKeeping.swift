internal import ArgumentParser
internal import Events
internal import LookingBack
internal import Projections
internal import Text
internal import Words

// What a walker says of a walk afterwards: each is an event of its own, and nothing is overwritten.

/// Which walk is meant.
private struct SessionOptions: ParsableArguments {
    @Argument(help: "The session's position, or last.")
    var session: String
    @OptionGroup var common: CommonOptions

    /// Says something of the walk, which may depend on what was said before, and then what there is
    /// of it.
    func describe(
        _ description: SessionDescribed, hidden: Bool = false,
        changing change: (@Sendable (inout SessionDescribed, Keeping) -> Void)? = nil,
        saying sentence: (Keeping) -> String
    ) async throws {
        let name = session
        try await common.perform { state in
            var description = description
            let session = try state.session(called: name, hidden: hidden)
            description.session = session.position
            change?(&description, session.keeping)
            return .describe(description)
        } saying: { state in
            sentence(try state.session(called: name).keeping)
        }
    }
}

extension SessionsCommand {
    /// `pulselog sessions name`.
    struct Name: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "name", abstract: "Give a walk a name; an empty one takes it away.")
        @OptionGroup fileprivate var options: SessionOptions
        @Argument(help: "The name, at most \(SessionDescribed.nameBytes) bytes.")
        var text: String

        func run() async throws {
            try await options.describe(SessionDescribed(sessionName: text)) {
                $0.name.isEmpty ? "It has no name." : "Named \(printable($0.name, limit: 128))."
            }
        }
    }

    /// `pulselog sessions place`.
    struct Place: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "place", abstract: "Say where a walk was; an empty text takes it away.")
        @OptionGroup fileprivate var options: SessionOptions
        @Argument(help: "The place, at most \(SessionDescribed.nameBytes) bytes.")
        var text: String

        func run() async throws {
            try await options.describe(SessionDescribed(place: text)) {
                $0.place.isEmpty ? "It has no place." : "Place: \(printable($0.place, limit: 128))."
            }
        }
    }

    /// `pulselog sessions note`.
    struct Note: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "note", abstract: "Write a note of a walk; an empty one takes it away.")
        @OptionGroup fileprivate var options: SessionOptions
        @Argument(help: "The note, at most \(SessionDescribed.noteBytes) bytes.")
        var text: String

        func run() async throws {
            try await options.describe(SessionDescribed(note: text)) {
                $0.note.isEmpty ? "It has no note." : "Noted."
            }
        }
    }

    /// `pulselog sessions tag`.
    struct Tag: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tag", abstract: "Give a walk tags, or take some from it.")
        @OptionGroup fileprivate var options: SessionOptions
        @Argument(help: "The tags, without commas.")
        var tags: [String]
        @Flag(help: "Take these tags away.")
        var remove = false

        func run() async throws {
            let (tags, remove) = (Keeping.tags(in: tags.joined(separator: ",")), remove)
            try await options.describe(SessionDescribed()) { description, keeping in
                let others = keeping.tags.filter { !tags.contains($0) }
                description.tags = (remove ? others : others + tags).joined(separator: ",")
            } saying: {
                let words = printable($0.tags.joined(separator: ", "), limit: 256)
                return $0.tags.isEmpty ? "It has no tags." : "Tags: \(words)."
            }
        }
    }

    /// `pulselog sessions sport`.
    struct SportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sport", abstract: "Say what was done: \(Sport.choice).")
        @OptionGroup fileprivate var options: SessionOptions
        @Argument(help: "What was done.")
        var sport: SportOption

        func run() async throws {
            try await options.describe(SessionDescribed(sport: sport.value)) {
                "A \($0.sport.words)."
            }
        }
    }

    /// `pulselog sessions hide`.
    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hide",
            abstract: "Leave a walk out of lists, sums and records; the log keeps it.")
        @OptionGroup fileprivate var options: SessionOptions
        @Flag(help: "List it again.")
        var undo = false

        func run() async throws {
            let listing: Listing = undo ? .listed : .hidden
            try await options.describe(SessionDescribed(listing: listing), hidden: undo) { _ in
                undo
                    ? "Listed again."
                    : "Hidden; its steps still count for their day. `--undo` lists it again."
            }
        }
    }
}
