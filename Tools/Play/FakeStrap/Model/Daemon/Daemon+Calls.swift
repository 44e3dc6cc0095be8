package import DBus

extension Daemon {
    /// Takes a method call.
    package mutating func take(_ call: MethodCall, from caller: Caller) {
        guard isRunning else { return }
        let reply = orderedReply(to: call.member) ?? reply(to: call, from: caller)
        if reply != .later { answer(caller, reply) }
    }

    /// The reply that is ordered for the next call of a method, if there is one.
    private mutating func orderedReply(to member: String) -> MethodReply? {
        guard let index = orders.firstIndex(where: { $0.member == member }) else { return nil }
        switch orders.remove(at: index).reply {
        case .done: return .done
        case .refusal(let name, let message): return .refusal(name: name, message: message)
        case .nonsense: return .values([.double(.nan), .properties([("", .string("\u{202E}"))])])
        case .silence: return .later
        }
    }

    /// The reply; `later` for one that is given otherwise.
    private mutating func reply(to call: MethodCall, from caller: Caller) -> MethodReply {
        if call.path == "/" { return replyOfRoot(to: call) }
        switch call.interface {
        case Agent.registry.interfaces[0].name where call.path == Agent.registry.path:
            return register(call, from: caller)
        case Adapter.interface:
            let adapter = adapters.firstIndex { $0.path == call.path && $0.controller.isPlugged }
            return adapter.map { replyOfAdapter($0, to: call, from: caller) }
                ?? .unknownObject(call)
        default: break
        }
        for (number, device) in devices.enumerated()
        where device.isKnown && call.path.hasPrefix(device.path) {
            if call.path == device.path, call.interface == Device.interface {
                return replyOfDevice(number, to: call, from: caller)
            }
            let index = device.characteristics.firstIndex { $0.path == call.path }
            if let index, device.hasServiceObjects, call.interface == Characteristic.interface {
                return replyOfCharacteristic((number, index), to: call, from: caller)
            }
        }
        return .unknownObject(call)
    }

    private func replyOfRoot(to call: MethodCall) -> MethodReply {
        guard call.interface == "org.freedesktop.DBus.ObjectManager",
            call.member == "GetManagedObjects"
        else { return .unknownMethod(call) }
        let entries = objects.map { Value.Entry(key: .objectPath($0.path), value: $0.value) }
        return .values([.dictionary(entrySignature: "{oa{sa{sv}}}", entries)])
    }

    // MARK: - Objects

    private mutating func replyOfAdapter(
        _ adapter: Int, to call: MethodCall, from caller: Caller
    ) -> MethodReply {
        switch call.member {
        case "SetDiscoveryFilter":
            guard let argument = call.arguments.first, let filter = DiscoveryFilter(argument)
            else { return .invalidArguments }
            guard adapters[adapter].isPowered else { return .notReady }
            adapters[adapter].filters[caller.client] = filter
            return .done
        case "StartDiscovery": return startScan(on: adapter, by: caller)
        case "StopDiscovery": return stopScan(on: adapter, by: caller.client)
        default: return .unknownMethod(call)
        }
    }

    private mutating func replyOfDevice(
        _ device: Int, to call: MethodCall, from caller: Caller
    ) -> MethodReply {
        switch call.member {
        case "Connect": connect(device, for: caller)
        case "Disconnect": disconnect(device, for: caller)
        default: .unknownMethod(call)
        }
    }

    private mutating func replyOfCharacteristic(
        _ place: CharacteristicPlace, to call: MethodCall, from caller: Caller
    ) -> MethodReply {
        switch call.member {
        case "StartNotify": startNotify(place, for: caller)
        case "StopNotify": stopNotify(place, for: caller.client)
        case "ReadValue": read(place, for: caller)
        default: .unknownMethod(call)
        }
    }
}
