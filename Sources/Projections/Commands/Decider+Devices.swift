package import Events

/// Requests that concern devices and the walker.
extension Decider {
    static func profileEvents(_ profile: Profile, _ own: SourceState) -> [Event] {
        var events: [Event] = [.profileChanged(profile)]
        if case .device(let device) = own.steps.choice,
            own.steps.stepsPerCadenceCount != profile.stepsPerCadenceCount
        {
            events.append(choice(device, profile))
        }
        return events
    }

    static func pairEvents(
        _ device: DeviceID, _ name: String?, _ roles: Roles, _ own: SourceState
    ) throws(Refusal) -> [Event] {
        guard Role.allCases.contains(where: roles.fill) else { throw Refusal(.withoutRole) }
        let vacant = Role.allCases.filter { roles.fill($0) && own.devices.primary($0) == nil }
        return [.devicePaired(DevicePaired(device: device, name: name, roles: roles))]
            + vacant.flatMap { choose(device, $0, own) }
    }

    /// Forgetting the primary makes the oldest remaining one primary, or leaves none.
    ///
    /// A device whose only role is taken is forgotten.
    static func forgetEvents(
        _ device: DeviceID, _ role: Role?, _ own: SourceState
    ) throws(Refusal) -> [Event] {
        let known = try paired(device, role, own)
        let rest = role.map { known.roles.subtracting(.filling($0)) } ?? []
        var events: [Event] = [
            rest.isEmpty
                ? .deviceForgotten(DeviceForgotten(device: device))
                : .devicePaired(DevicePaired(device: device, name: known.name, roles: rest))
        ]
        for role in Role.allCases where own.devices.primary(role) == device && !rest.fill(role) {
            let next = own.devices.paired.first { $0.id != device && $0.roles.fill(role) }
            events += choose(next?.id, role, own)
        }
        return events
    }

    static func primaryEvents(
        _ device: DeviceID, _ role: Role?, _ own: SourceState
    ) throws(Refusal) -> [Event] {
        let known = try paired(device, role, own)
        let roles = (role.map { [$0] } ?? Role.allCases).filter(known.roles.fill)
        guard !roles.isEmpty else { throw Refusal(.withoutRole) }
        return roles.filter { own.devices.primary($0) != device }
            .flatMap { choose(device, $0, own) }
    }

    static func contactEvents(
        _ device: DeviceID, isIgnored: Bool, _ own: SourceState
    ) throws(Refusal) -> [Event] {
        let known = try paired(device, nil, own)
        guard known.contact.isIgnored != isIgnored else { return [] }
        return [.contactChosen(ContactChosen(device: device, ignored: isIgnored))]
    }

    static func excludeEvents(
        _ device: DeviceID, _ position: Position, _ isExcluded: Bool, _ own: SourceState
    ) throws(Refusal) -> [Event] {
        guard let session = own.sessions[position],
            session.readings.straps.contains(where: { $0.device == device })
        else { throw Refusal(.notHeard) }
        guard session.excludedStraps.contains(device) != isExcluded else { return [] }
        return [
            .deviceExcluded(
                DeviceExcluded(session: position, device: device, excluded: isExcluded))
        ]
    }

    /// Only what is new is said.
    static func describeEvents(
        _ description: SessionDescribed, _ others: [Position], _ state: LogState
    ) throws(Refusal) -> [Event] {
        var (description, events) = (description, [Event]())
        for position in [description.session] + others {
            guard let session = state.session(position) else { throw Refusal(.noSuchSession) }
            description.session = position
            var told = session.keeping
            told.take(description)
            if told != session.keeping { events.append(.sessionDescribed(description)) }
        }
        return events
    }

    /// The paired device, which fills the role, if one is named.
    private static func paired(
        _ device: DeviceID, _ role: Role?, _ own: SourceState
    ) throws(Refusal) -> Device {
        guard let known = own.devices[device], known.pairedAt != nil else {
            throw Refusal(.notPaired)
        }
        if let role, !known.roles.fill(role) { throw Refusal(.withoutRole) }
        return known
    }

    private static func choose(
        _ device: DeviceID?, _ role: Role, _ own: SourceState
    ) -> [Event] {
        let chosen = Event.primaryChosen(PrimaryChosen(role: role, device: device))
        guard role == .pedometer else { return [chosen] }
        return [chosen, choice(device, own.recorder.profile)]
    }
}

extension Roles {
    /// What fills a role.
    fileprivate static func filling(_ role: Role) -> Roles {
        switch role {
        case .heart: .heart
        case .pedometer: [.footPod, .watch, .stepCounter]
        }
    }

    /// Whether a device with these roles can be the primary one of a role.
    ///
    /// - Parameter role: The role.
    /// - Returns: Whether it can.
    package func fill(_ role: Role) -> Bool {
        !isDisjoint(with: .filling(role))
    }
}
