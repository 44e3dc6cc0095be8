import DBus

extension Daemon {
    /// Takes a method call that came in a life.
    func take(_ call: MethodCall, from caller: ReplyAddress, in name: String) {
        // Whoever asked an earlier life hears from the bus that there is no reply.
        guard life?.uniqueName == name else { return }
        send(answer(call, from: caller), to: caller)
    }

    private func answer(_ call: MethodCall, from caller: ReplyAddress) -> MethodReply {
        if let answer = orderedAnswer(to: call.member) { return answer }
        if call.path == "/" { return answerRoot(call) }
        guard let object = objects.first(where: { $0.path == call.path }) else {
            return .unknownObject(call)
        }
        switch call.interface {
        case "org.freedesktop.DBus.Properties": return answerProperties(call, of: object)
        case Agent.managerInterface where call.path == Agent.registry.path:
            return answerRegistry(call, from: caller)
        default: break
        }
        for adapter in adapters where call.path == adapter.path {
            guard call.interface == Adapter.interface else { return .unknownMethod(call) }
            return answerAdapter(adapter, call, from: caller)
        }
        for device in devices where call.path.hasPrefix(device.path) {
            if call.path == device.path, call.interface == Device.interface {
                return answerDevice(device, call, from: caller)
            }
            let characteristic = device.characteristics.first { $0.path == call.path }
            if let characteristic, call.interface == Characteristic.interface {
                return answerCharacteristic(characteristic, of: device, call, from: caller)
            }
        }
        return .unknownMethod(call)
    }

    private func answerRoot(_ call: MethodCall) -> MethodReply {
        guard call.interface == "org.freedesktop.DBus.ObjectManager",
            call.member == "GetManagedObjects"
        else { return .unknownMethod(call) }
        let entries = objects.map { Value.Entry(key: .objectPath($0.path), value: $0.value) }
        return .values([.dictionary(entrySignature: "{oa{sa{sv}}}", entries)])
    }

    // MARK: - Objects

    private func answerAdapter(
        _ adapter: Adapter, _ call: MethodCall, from caller: ReplyAddress
    ) -> MethodReply {
        switch call.member {
        case "SetDiscoveryFilter":
            guard let argument = call.arguments.first, let filter = DiscoveryFilter(argument)
            else { return .invalidArguments }
            guard adapter.isPowered else { return .notReady }
            adapter.filters[caller.sender] = filter
            return .done
        case "StartDiscovery": return startScan(on: adapter, by: caller.sender)
        case "StopDiscovery": return stopScan(on: adapter, by: caller.sender)
        default: return .unknownMethod(call)
        }
    }

    private func answerDevice(
        _ device: Device, _ call: MethodCall, from caller: ReplyAddress
    ) -> MethodReply {
        switch call.member {
        case "Connect": connect(device, for: caller)
        case "Disconnect": disconnect(device, for: caller)
        default: .unknownMethod(call)
        }
    }

    private func answerCharacteristic(
        _ characteristic: Characteristic, of device: Device, _ call: MethodCall,
        from caller: ReplyAddress
    ) -> MethodReply {
        switch call.member {
        case "StartNotify": startNotify(characteristic, of: device, for: caller)
        case "StopNotify": stopNotify(characteristic, of: device, for: caller.sender)
        case "ReadValue": read(characteristic, of: device, for: caller)
        default: .unknownMethod(call)
        }
    }

    // MARK: - Properties

    private func answerProperties(_ call: MethodCall, of object: BusObject) -> MethodReply {
        guard let name = call.arguments.first?.asString else { return .unknownMethod(call) }
        guard let interface = object.interfaces.first(where: { $0.name == name }) else {
            return BusObject.common.contains(name) && call.member == "GetAll"
                ? .values([.properties([])]) : .noSuchInterface(name)
        }
        if call.member == "GetAll" { return .values([.properties(interface.properties)]) }
        guard call.arguments.count > 1, let property = call.arguments[1].asString else {
            return .unknownMethod(call)
        }
        guard let value = interface.properties.value(of: property) else {
            return .noSuchProperty(property)
        }
        switch (call.member, call.arguments.count) {
        case ("Get", 2): return .values([.variant(value)])
        default: return .unknownMethod(call)
        }
    }
}
