/// The pages that a walk has reached.
///
/// It grows with what the walk has read, not with what the file claims to have.
struct PageSet {
    /// A page that was not reached exactly once.
    enum Fault: Equatable {
        case missing(UInt64)
        case twice(UInt64)
    }

    /// Pages of trees: one that is reached again is refused at once, or its tree would be walked
    /// over and over.
    private var treePages: Set<UInt64> = []
    /// Everything that was reached, in no order.
    private var runs: [Range<UInt64>] = []

    /// Adds a page of a tree.
    ///
    /// - Returns: Whether no tree has it yet.
    mutating func insert(treePage number: UInt64) -> Bool {
        insert(number..<number + 1)
        return treePages.insert(number).inserted
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
