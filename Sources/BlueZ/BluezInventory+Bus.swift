public import BluetoothCentral
public import DBus

extension BluezInventory {
    /// The longest wait for each answer.
    private static let answerMilliseconds: UInt64 = 2_000
    /// The longest time for all of it: a bus may take a connection and never answer.
    private static let limitMilliseconds: UInt64 = 15_000

    /// Asks bluetoothd what it has; starts nothing and changes nothing.
    ///
    /// - Parameters:
    ///   - address: The bus that bluetoothd is on.
    ///   - wanted: Devices that are kept however many there are.
    /// - Returns: What it has.
    /// - Throws: `InventoryError`, after 15 s at the latest.
    public static func look(
        on address: Bus.Address = .system, wanted: Set<BluetoothAddress> = []
    ) async throws(InventoryError) -> BluezInventory {
        let (found, continuation) = AsyncStream.makeStream(
            of: Result<BluezInventory, InventoryError>.self)
        // libdbus cannot be called off while it opens a connection: then the task ends with the
        // process.
        Task {
            do throws(InventoryError) {
                continuation.yield(.success(try await ask(address, wanted)))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        let limit = Task {
            try await Task.sleep(for: .milliseconds(limitMilliseconds))
            continuation.finish()
        }
        defer { limit.cancel() }
        for await result in found { return try result.get() }
        throw .busStuck
    }

    private static func ask(
        _ address: Bus.Address, _ wanted: Set<BluetoothAddress>
    ) async throws(InventoryError) -> BluezInventory {
        let bus: Bus
        do throws(DBusError) {
            bus = try await Bus(address)
        } catch {
            throw .noBus(CallFailure(error))
        }
        do throws(InventoryError) {
            let objects = try await objects(on: bus)
            await bus.close()
            return BluezInventory(objects, wanted: wanted)
        } catch {
            await bus.close()
            throw error
        }
    }

    private static func objects(on bus: Bus) async throws(InventoryError) -> [LocatedObject] {
        let owned: Bool?
        do throws(DBusError) {
            owned = try await bus.call(
                .bus("NameHasOwner", .string("org.bluez")), timeoutMilliseconds: answerMilliseconds
            ).first?.asBoolean
        } catch {
            throw .busSilent
        }
        guard owned == true else { throw .noDaemon }
        do throws(DBusError) {
            var values: [Value] = []
            for message in CentralCall.listObjects.messages(to: "org.bluez") {
                values = try await bus.call(message, timeoutMilliseconds: answerMilliseconds)
            }
            var reading = BluezReading()
            return reading.tree(values.first)
        } catch {
            throw .refused(CallFailure(error))
        }
    }
}

extension Central {
    /// Listens for a device, and scans for that.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - service: What it advertises.
    ///   - limit: How long to listen.
    ///   - address: The bus that bluetoothd is on.
    /// - Returns: Whether it was heard; at once when it is.
    public static func hears(
        _ device: BluetoothAddress, advertising service: BluetoothUUID, within limit: Duration,
        on address: Bus.Address = .system
    ) async -> Bool {
        let (heard, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let central = Central(address: address) { report, _ in
            if case .deviceSeen(let sighting) = report, sighting.address == device,
                !sighting.isStale
            {
                continuation.yield()
            }
        }
        central.want(CentralDesire(scanning: [service]))
        let scanning = Task { await central.run() }
        let end = Task {
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        var isHeard = false
        for await _ in heard {
            isHeard = true
            break
        }
        end.cancel()
        scanning.cancel()
        await scanning.value
        return isHeard
    }
}
