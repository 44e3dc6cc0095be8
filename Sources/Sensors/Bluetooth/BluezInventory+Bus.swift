package import BlueZ
package import BluetoothCentral
package import DBus
internal import Recording

extension BluezInventory {
    /// The longest wait for each answer.
    private static let answerMilliseconds: UInt64 = 2_000
    /// The longest time for all of it: a bus may take a connection and never answer.
    private static let limit = Duration.seconds(15)

    /// Asks bluetoothd what it has; starts nothing and changes nothing.
    ///
    /// - Parameters:
    ///   - address: The bus that bluetoothd is on.
    ///   - wanted: Devices that are kept however many there are.
    /// - Returns: What it has, or why nobody knows, after 15 s at the latest; that is `busStuck`
    ///   also if the task is cancelled.
    package static func look(
        on address: Bus.Address = .system, wanted: Set<BluetoothAddress> = []
    ) async -> Result<BluezInventory, InventoryError> {
        // libdbus cannot be called off while it opens a connection.
        let found = await value(within: limit) { () -> Result<BluezInventory, InventoryError> in
            do throws(InventoryError) {
                return .success(try await ask(address, wanted))
            } catch {
                return .failure(error)
            }
        }
        return found ?? .failure(.busStuck)
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
    /// How long to wait for it to leave; it gives up after 8 s itself, unless the bus is stuck.
    private static let leavingLimit = Duration.seconds(10)

    /// Listens for a device, and scans for that.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - limit: How long to listen.
    ///   - address: The bus that bluetoothd is on.
    /// - Returns: Whether it was heard, once it is or the limit is over. Before that bluetoothd is
    ///   asked to stop, which takes some seconds; after ten, or if the task is cancelled, nobody
    ///   waits for it.
    package static func hears(
        _ device: BluetoothAddress, within limit: Duration, on address: Bus.Address = .system
    ) async -> Bool {
        let (heard, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let central = Central(address: address) { report, _ in
            if case .deviceSeen(let sighting) = report, !sighting.isStale { continuation.yield() }
        }
        central.want(CentralDesire(scanning: .device(device)))
        let scanning = Task { await central.run() }
        let isHeard = await value(within: limit) { await heard.first { _ in true } != nil } ?? false
        continuation.finish()
        scanning.cancel()
        _ = await value(within: leavingLimit) { await scanning.value }
        return isHeard
    }
}
