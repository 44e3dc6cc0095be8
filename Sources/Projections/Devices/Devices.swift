package import Events

/// One device: whether it is paired, what it said of itself, and its link.
package struct Device: StatePart, Hashable, Sendable {
    /// Its identity.
    package private(set) var id: DeviceID
    /// Where it was paired, or nil if it is not.
    package internal(set) var pairedAt: Position?
    /// Its name: a stranger's text, at most 1,024 bytes.
    package internal(set) var name: String?
    /// The roles it fills.
    package internal(set) var roles: Roles = []
    /// The roles that it could fill, and that the walker took from it.
    package internal(set) var declined: Roles = []
    /// When the walker made it forgotten, in fold time; nil if it is paired or never was.
    package internal(set) var forgottenAt: UInt64?
    /// The last charge it reported, 0...100 percent.
    package internal(set) var batteryPercent: UInt8?
    /// The number of its place on the body: Bluetooth HRS 1.0, 3.2.
    package internal(set) var bodyLocation: UInt8?
    /// Its maker's name: a stranger's text, at most 512 bytes.
    package internal(set) var manufacturer: String?
    /// What it said of contact, and whether that is heeded.
    package internal(set) var contact = ContactHistory()
    /// Its connection.
    package internal(set) var link = LinkHistory()

    var key: UInt64 { id.word }

    /// The connection is up from `now` on.
    @inline(__always)
    mutating func markUp(at now: UInt64) {
        if !link.isUp { contact.beginLink() }
        link.markUp(at: now)
    }

    init() { self.init(DeviceID()) }

    init(_ id: DeviceID) { self.id = id }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&id, &pairedAt, &name, &roles, &declined, &batteryPercent)
        try coder(&bodyLocation, &manufacturer, &contact, &link, &forgottenAt)
    }
}

/// The devices that a source knows, with the primary one of each role.
package struct Devices: StatePart, Hashable, Sendable {
    /// The most devices that are told apart in one source.
    package static let limit = 256
    /// The devices, in order of their first appearance.
    package internal(set) var all: [Device] = []
    /// The primary strap.
    package internal(set) var primaryHeart: DeviceID?
    /// The primary pedometer.
    package internal(set) var primaryPedometer: DeviceID?
    /// The index in ``all`` of the strap: the device of the last heart-rate value or of the last
    /// connection to what may be a strap.
    var strapIndex: Int?

    /// The paired devices, the first paired first.
    package var paired: [Device] {
        all.filter { $0.pairedAt != nil }.sorted { ($0.pairedAt ?? 0) < ($1.pairedAt ?? 0) }
    }

    /// Whether what is paired over Bluetooth counts steps only: then nothing is said of a strap.
    package var areOnlyPedometers: Bool {
        let roles = all.reduce(Roles()) { $1.pairedAt == nil ? $0 : $0.union($1.roles) }
        return primaryHeart == nil && !roles.contains(.heart)
            && !roles.isDisjoint(with: [.footPod, .watch])
    }

    /// The device with an identity, if it is known.
    package subscript(id: DeviceID) -> Device? {
        all.first { $0.key == id.word }
    }

    /// Whether a file of walks tells of them: ``Cadence/fileMilliseconds``.
    var isOfFile = false

    /// The strap whose connection a session's time is told by.
    package var strap: Device? { strapIndex.map { all[$0] } }

    /// The strap's connection; a blank one if there is no strap.
    @inline(__always)
    var strapLink: LinkHistory {
        guard let strapIndex else { return LinkHistory() }
        return all[strapIndex].link
    }

    /// What the strap's connection says of a session's time; blank if there is no strap.
    @inline(__always)
    var strapTimes: LinkTimes {
        guard let strapIndex else { return LinkTimes() }
        return LinkTimes(all[strapIndex].link, isOfFile: isOfFile)
    }

    /// The primary device of a role.
    package func primary(_ role: Role) -> DeviceID? {
        switch role {
        case .heart: primaryHeart
        case .pedometer: primaryPedometer
        }
    }

    /// Whether a device is a strap by what it offers, or by what it sent.
    func isStrap(_ device: DeviceID) -> Bool {
        strap?.id == device || self[device]?.roles.contains(.heart) == true
    }

    /// Where a device is in ``all``, nearly always as the strap; nil if it is new and there is no
    /// room.
    @inline(__always)
    mutating func index(of key: UInt64) -> Int? {
        if let strapIndex, all[strapIndex].key == key { return strapIndex }
        return otherIndex(of: key)
    }

    @inline(never)
    private mutating func otherIndex(of key: UInt64) -> Int? {
        if let index = all.firstIndex(where: { $0.key == key }) { return index }
        guard all.count < Devices.limit, let id = DeviceID(word: key) else { return nil }
        all.append(Device(id))
        return all.count - 1
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var index = strapIndex.map { UInt($0) }
        try coder(&all, &primaryHeart, &primaryPedometer, &index, &isOfFile)
        try coder.require(index.map { $0 < UInt(all.count) } ?? true)
        strapIndex = index.map { Int($0) }
    }
}

// MARK: - Events of the link lane

extension Devices {
    mutating func pair(_ event: DevicePaired, at position: Position) -> Bool {
        guard let index = index(of: event.device.word) else { return false }
        let before = all[index].roles.union(all[index].declined)
        all[index].declined =
            all[index].pairedAt == nil ? [] : before.subtracting(event.roles)
        all[index].pairedAt = all[index].pairedAt ?? position
        all[index].forgottenAt = nil
        all[index].roles = event.roles
        if let name = event.name { all[index].name = name }
        return true
    }

    mutating func see(_ event: DeviceSeen) {
        guard let index = all.firstIndex(where: { $0.key == event.device.word }) else { return }
        if let name = event.name { all[index].name = name }
        all[index].roles.formUnion(event.roles.subtracting(all[index].declined))
    }

    mutating func forget(_ device: DeviceID, at now: UInt64) {
        guard let index = all.firstIndex(where: { $0.key == device.word }) else { return }
        all[index].pairedAt = nil
        all[index].forgottenAt = now
        if primaryHeart == device { primaryHeart = nil }
        if primaryPedometer == device { primaryPedometer = nil }
    }

    mutating func choose(_ event: ContactChosen) -> Bool {
        guard let index = index(of: event.device.word) else { return false }
        all[index].contact.isIgnored = event.ignored
        return true
    }

    mutating func choose(_ event: PrimaryChosen) {
        switch event.role {
        case .heart: primaryHeart = event.device
        case .pedometer: primaryPedometer = event.device
        }
    }

    /// A connection stands.
    ///
    /// It becomes the strap's unless the present strap's is up, or the
    /// device is known as a pedometer only.
    mutating func connect(_ event: LinkUp, at now: UInt64) -> Bool {
        guard let index = index(of: event.device.word) else { return false }
        all[index].markUp(at: now)
        all[index].link.connectMilliseconds = event.connectMilliseconds
        let mayBeStrap = all[index].roles.isEmpty || all[index].roles.contains(.heart)
        if mayBeStrap, !strapLink.isUp { strapIndex = index }
        return true
    }

    /// Nobody knows how long ago the links were lost.
    mutating func forgetLosses() {
        for index in all.indices { all[index].link.lostAt = nil }
    }

    mutating func disconnect(_ event: LinkLost, at now: UInt64) {
        guard let index = all.firstIndex(where: { $0.key == event.device.word }) else { return }
        all[index].link.lose(at: now, wasRequested: event.cause.known == .requested)
    }
}
