package import ArgumentParser

/// The options that mean the same in each campaign.
package struct CampaignOptions: ParsableArguments {
    @Option(help: "How many are tried.")
    private var count: Int?

    /// Which of all that could be tried.
    @Option(help: "Which ones.")
    package var seed: UInt64 = 1

    /// How many are tried at the same time.
    @Option(help: "How many at the same time.")
    package var jobs: Int = 2

    /// Whether a small part of the work is enough.
    @Flag(name: .customLong("sample"), help: "Do a small part of the work.")
    package var isSample = false

    package init() {}

    /// How many are tried.
    ///
    /// - Parameters:
    ///   - whole: How many are tried unless something else is given.
    ///   - sample: How many make a sample.
    /// - Returns: What was given, or one of the two.
    package func count(_ whole: Int, sample: Int) -> Int { count ?? (isSample ? sample : whole) }

    /// The seeds of a campaign that plays a history for each.
    ///
    /// - Parameters:
    ///   - whole: How many are played unless something else is given.
    ///   - sample: How many make a sample.
    /// - Returns: So many from the one that was given on.
    /// - Throws: A `ValidationError` if there are not so many.
    package func seeds(_ whole: Int, sample: Int) throws -> Range<UInt64> {
        let (end, isTooMany) = seed.addingReportingOverflow(UInt64(count(whole, sample: sample)))
        guard !isTooMany else { throw ValidationError("give a smaller seed") }
        return seed..<end
    }

    package func validate() throws {
        guard count ?? 1 > 0, jobs > 0 else { throw ValidationError("give positive numbers") }
    }
}

/// The option of a campaign that makes files.
package struct KeepOption: ParsableArguments {
    @Flag(help: "Leave the folder with the files in place.")
    private var keep = false

    package init() {}

    /// Removes a folder, unless it is wanted.
    package func leave(_ folder: String) {
        guard !keep else { return print("kept: \(folder)") }
        do throws(CampaignError) {
            try Files.removeTree(folder)
        } catch {
            print(error)
        }
    }
}
