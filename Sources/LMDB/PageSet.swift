/// The pages that a walk has reached.
///
/// It grows with what the walk has read, not with what the file claims to have.
struct PageSet {
    /// A page that was not reached exactly once.
    enum Fault: Equatable {
        case missing(UInt64)
        case twice(UInt64)
    }

    /// Where what is read begins: what is reached again is refused at once, or a tree would be
    /// walked, and a long value read, over and over.
    private var begun: Set<UInt64> = []
    /// Everything that was reached, in no order.
    private var runs: [Range<UInt64>] = []

    /// Adds pages that are read: a page of a tree, or a long value.
    ///
    /// - Returns: Whether nothing that was read begins there yet.
    mutating func insert(read run: Range<UInt64>) -> Bool {
        insert(run)
        return begun.insert(run.lowerBound).inserted
    }

    /// Adds pages that follow each other.
    mutating func insert(_ run: Range<UInt64>) {
        if let last = runs.last, last.upperBound == run.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<run.upperBound
        } else if let last = runs.last, last.lowerBound == run.upperBound {
            runs[runs.count - 1] = run.lowerBound..<last.upperBound
        } else {
            runs.append(run)
        }
    }

    /// The first fault among some pages; all that were reached are among them.
    func firstFault(in pages: Range<UInt64>) -> Fault? {
        var next = pages.lowerBound
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if run.lowerBound > next { return .missing(next) }
            if run.lowerBound < next { return .twice(run.lowerBound) }
            next = run.upperBound
        }
        return next < pages.upperBound ? .missing(next) : nil
    }
}
