import Events

/// Requests that concern devices and the walker.
extension Decider {
    static func profileEvents(_ profile: Profile, _ live: SourceState) -> [Event] {
        var events: [Event] = [.profileChanged(ProfileChanged(profile: profile))]
        if case .device(let device) = live.steps.choice,
            live.steps.stepsPerCadenceCount != profile.stepsPerCadenceCount
        {
            events.append(choice(device, profile))
        }
        return events
    }

    static func pairEvents(
        _ device: DeviceID, _ name: String?, _ roles: Roles, _ live: SourceState
    ) throws(Refusal) -> [Event] {
        guard Role.allCases.contains(where: roles.fill) else { throw Refusal(.withoutRole) }
        var events: [Event] = [
            .devicePaired(DevicePaired(device: device, name: name, roles: roles))
        ]
        for role in Role.allCases where roles.fill(role) && live.devices.primary(role) == nil {
            events += choose(device, role, live)
        }
        return events
    }

    /// Forgetting the primary makes the oldest remaining one primary, or leaves none.
    static func forgetEvents(
        _ device: DeviceID, _ live: SourceState
    ) throws(Refusal) -> [Event] {
        guard live.devices[device]?.pairedAt != nil else { throw Refusal(.notPaired) }
        var events: [Event] = [.deviceForgotten(DeviceForgotten(device: device))]
        for role in Role.allCases where live.devices.primary(role) == device {
            let next = live.devices.paired.first { $0.id != device && $0.roles.fill(role) }
            events += choose(next?.id, role, live)
        }
        return events
    }

    static func primaryEvents(
        _ device: DeviceID, _ live: SourceState
    ) throws(Refusal) -> [Event] {
        guard let known = live.devices[device], known.pairedAt != nil else {
            throw Refusal(.notPaired)
        }
        guard Role.allCases.contains(where: known.roles.fill) else {
            throw Refusal(.withoutRole)
        }
        var events: [Event] = []
        for role in Role.allCases
        where known.roles.fill(role) && live.devices.primary(role) != device {
            events += choose(device, role, live)
        }
        return events
    }

    private static func choose(
        _ device: DeviceID?, _ role: Role, _ live: SourceState
    ) -> [Event] {
        let chosen = Event.primaryChosen(PrimaryChosen(role: role, device: device))
        guard role == .pedometer else { return [chosen] }
        return [chosen, choice(device, live.recorder.profile)]
    }
}

extension Roles {
    /// Whether a device with these roles can be the primary one of a role.
    func fill(_ role: Role) -> Bool {
        switch role {
        case .heart: contains(.heart)
        case .pedometer: !isDisjoint(with: [.footPod, .watch, .stepCounter])
        }
    }
}
