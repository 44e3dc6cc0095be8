import Events

/// A day as two numbers: what was walked, and by how much a total was ever ahead of that.
///
/// The rule of a reconciliation, unrolled: the baseline is the greatest of the totals, each with
/// what was walked since. So the count is what was walked, and the greatest lead that any total had
/// when it came. Neither number can fall, and no step is in both.
struct CertifiedDay: Carried {
    private(set) var date = CivilDate.epoch
    /// Steps of the chosen pedometer on this day.
    private(set) var walked: Int128 = 0
    private var walkedBy: [Walk] = []
    /// The greatest total that somebody reported, and who.
    private var reported: Certificate.Claim?
    private var lead: Int128 = 0
    private var leader: Certificate.Claim?
    /// The value of an earlier program, and the event.
    private var legacy: Certificate.Claim?
    /// The greatest total reported while the day was not the current one.
    private var late: Certificate.Claim?
    private var positions: ClosedRange<Position> = 0...0
    /// Up to where a person means totals that nobody walks.
    private var meant: UInt64 = 0
    /// How many readings and totals nobody can have walked, and where the last of them stands.
    private var beyond: Beyond?
    private var totalsBeyond: [UInt64] = []
    /// Whether it counted under a trusted clock; if not, an earlier date may take its place.
    var isSure = false
    /// What was displayed when it was last looked at.
    var lastDisplayed: UInt64 = 0

    /// What a pedometer counted.
    private struct Walk: Carried {
        var device = DeviceID.blank
        var steps: Int128 = 0

        mutating func carry(_ carrier: inout Carrier) { carrier(&device, &steps) }
    }

    private struct Beyond: Carried {
        var count: UInt64 = 0
        var position: Position = 0

        mutating func carry(_ carrier: inout Carrier) { carrier(&count, &position) }
    }

    init() {}

    init(_ date: CivilDate, at position: Position) {
        self.date = date
        positions = position...position
    }

    /// The last event that spoke of it.
    var lastPosition: Position { positions.upperBound }

    /// What must be displayed.
    var expected: UInt64 {
        let limit = Int128(FieldRange.unsigned.upperBound)
        return max(UInt64(min(walked + lead, limit)), late?.total ?? 0)
    }

    var certificate: Certificate {
        let limit = Int128(FieldRange.unsigned.upperBound)
        let isLate = UInt64(min(walked + lead, limit)) < late?.total ?? 0
        return Certificate(
            date: date, displayed: expected, walked: UInt64(min(walked, limit)),
            walkedBy: walkedBy.map {
                Certificate.Counted(device: $0.device, steps: UInt64(min($0.steps, limit)))
            },
            lead: UInt64(min(lead, limit)), leader: leader, lateTotal: isLate ? late : nil,
            setAside: beyond?.count ?? 0, lastSetAside: beyond?.position, positions: positions)
    }

    mutating func see(_ position: Position) {
        positions = min(positions.lowerBound, position)...max(positions.upperBound, position)
    }

    mutating func walk(_ steps: Int128, by device: DeviceID) {
        walked += steps
        guard steps > 0 else { return }
        if let index = walkedBy.firstIndex(where: { $0.device == device }) {
            walkedBy[index].steps += steps
        } else {
            walkedBy.append(Walk(device: device, steps: steps))
        }
    }

    /// Whether somebody can have walked a total: up to 200,000, or what a person means.
    mutating func believes(_ total: UInt64, at position: Position) -> Bool {
        if total <= max(200_000, meant) { return true }
        guard !totalsBeyond.contains(total) else { return false }
        if totalsBeyond.count == 64 { totalsBeyond.removeFirst() }
        totalsBeyond.append(total)
        setAside(position)
        return false
    }

    mutating func mean(_ total: UInt64) {
        meant = max(meant, total)
        let believed = totalsBeyond.filter { $0 <= meant }.count
        totalsBeyond.removeAll { $0 <= meant }
        beyond = beyond.flatMap {
            $0.count > UInt64(believed)
                ? Beyond(count: $0.count - UInt64(believed), position: $0.position) : nil
        }
    }

    mutating func setAside(_ position: Position) {
        beyond = Beyond(count: (beyond?.count ?? 0) + 1, position: position)
    }

    /// Somebody reported a total, which counts when it is reconciled.
    mutating func hear(_ total: UInt64, from reporter: Reporter?, at position: Position) {
        guard total >= reported?.total ?? 0 else { return }
        reported = Certificate.Claim(position: position, total: total, reporter: reporter)
    }

    /// A total, and who reported it, if somebody did.
    private func claim(_ total: UInt64, at position: Position) -> Certificate.Claim {
        let told = [reported, legacy].compactMap(\.self).first { $0.total == total }
        return Certificate.Claim(position: position, total: total, reporter: told?.reporter)
    }

    /// The day becomes the current one: what was reported of it before is ahead of no later step.
    ///
    /// - Returns: What a total brought while it was not the current one.
    mutating func begin() -> Int128 {
        let before = lead
        if let late { compare(late) }
        late = nil
        return lead - before
    }

    /// A total of a day that is not the current one.
    mutating func tellLate(_ total: UInt64, at position: Position) {
        guard total > late?.total ?? 0 else { return }
        late = claim(total, at: position)
    }

    mutating func tellLegacy(_ total: UInt64, from reporter: Reporter, at position: Position) {
        guard total > legacy?.total ?? 0 || legacy == nil else { return }
        legacy = Certificate.Claim(position: position, total: total, reporter: reporter)
    }

    /// Takes the greatest of a total, the legacy value and what is displayed.
    ///
    /// - Returns: What the total brings: by how much it is more than what is displayed, or 0 if the
    ///   legacy value is more than it.
    mutating func reconcile(_ total: UInt64?, at position: Position) -> UInt64 {
        let shown = expected
        let wins = total.map { $0 > shown && $0 >= legacy?.total ?? 0 } ?? false
        let brought = wins ? (total ?? 0) - shown : 0
        if let total { compare(claim(total, at: position)) }
        if let legacy { compare(legacy) }
        return brought
    }

    /// Carries all on but what was displayed.
    mutating func carry(_ carrier: inout Carrier) {
        var (first, last) = (positions.lowerBound, positions.upperBound)
        carrier(&date, &walked, &walkedBy, &lead)
        carrier(&reported, &leader, &legacy, &late)
        carrier(&first, &last, &meant, &beyond)
        carrier(&totalsBeyond, &isSure)
        carrier.require(first <= last)
        positions = first...max(first, last)
    }

    private mutating func compare(_ claim: Certificate.Claim) {
        let ahead = Int128(claim.total) - walked
        guard ahead > lead else { return }
        (lead, leader) = (ahead, claim)
    }
}
