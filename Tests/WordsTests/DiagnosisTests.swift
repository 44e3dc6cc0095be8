import BluetoothCentral
import Testing

@testable import Words

/// What the doctor says of what it finds.
@Suite("Diagnoses")
struct DiagnosisTests {
    @Test("judges clock, zone and terminal")
    func machine() {
        func clock(_ isSet: Bool, _ isTrusted: Bool) -> Diagnosis.Result {
            Diagnosis.clock(wallMilliseconds: 0, isSet: isSet, isTrusted: isTrusted).result
        }
        #expect(clock(false, true) == .problem)
        #expect(clock(true, false) == .warning)
        #expect(clock(true, true) == .ok)
        let zone = Diagnosis.zone((-570, "MART"), variable: nil, hasZoneFile: true)
        #expect(zone == .ok(.zone, "Days end at midnight of MART, UTC-09:30."))
        let none = Diagnosis.zone((0, "UTC"), variable: nil, hasZoneFile: false)
        #expect(none.result == .warning)
        #expect(Diagnosis.terminal(columns: nil, isUTF8: false).result == .ok)
        #expect(Diagnosis.terminal(columns: 40, isUTF8: true).result == .warning)
        #expect(Diagnosis.terminal(columns: 80, isUTF8: false).result == .warning)
        #expect(Diagnosis.terminal(columns: 80, isUTF8: true).result == .ok)
        #expect(Diagnosis.page(hasMap: true).result == .ok)
        let page = Diagnosis.page(hasMap: false)
        #expect(page.result == .warning)
        #expect(page.advice == "Run `apt-get install libjs-leaflet`.")
    }

    @Test("names a strap that BlueZ is told to refuse, and what unblocks it")
    func blocked() throws {
        let address = BluetoothAddress(0xC4_00_00_00_00_01)
        let title = DeviceTitle("Strap One", isStrap: true)
        let strap: NamedStrap = (address, title)
        for isBlocked in [true, false] {
            let inventory = BluezInventory([
                LocatedObject(path: "/a", .adapter, [.powered(true)]),
                LocatedObject(
                    path: "/a/dev", .device, [.address(address), .blocked(isBlocked)]),
            ])
            let found = Diagnosis.strap(strap, inventory, isRecorderAlive: true)
            #expect(found?.result == .warning)
            let advice = "Unblock it: bluetoothctl unblock C4:00:00:00:00:01."
            #expect((found?.advice == advice) == isBlocked)
        }
    }

    @Test("judge the room on a disk")
    func disk() {
        #expect(Diagnosis.disk(freeBytes: 3_999_999).result == .problem)
        #expect(Diagnosis.disk(freeBytes: 4_000_000).result == .warning)
        #expect(Diagnosis.disk(freeBytes: 100_000_000).result == .ok)
    }

    @Test("judge whether the log can be signed, which hinders no recording")
    func signature() {
        #expect(Diagnosis.signature(.nothing).result == .ok)
        let signed = Diagnosis.signature(.possible(signedEvents: 1_234, folder: "/k"))
        #expect(signed == .ok(.signature, "The first 1,234 events are signed; the key is in /k."))
        #expect(Diagnosis.signature(.possible(signedEvents: 0, folder: "/k")).result == .ok)
        #expect(Diagnosis.signature(.noPlace).result == .warning)
        let checked = Diagnosis.signature(
            .possible(signedEvents: 9, folder: "/k", verified: (2, 30)))
        #expect(
            checked.message.hasSuffix("Of 30 sealed blocks 2 were compared with their seals again.")
        )
        #expect(Diagnosis.signature(.damaged(from: 7)).result == .problem)
        let locked = Diagnosis.signature(.unwritable("/state: Permission denied"))
        #expect(locked.result == .warning)
        #expect(locked.message.contains("outside of the store: /state: Permission denied"))
        let rollback = Diagnosis.signature(.impossible("It is older. \u{1B}[2J"))
        #expect(rollback.result == .warning && rollback.message.contains("cannot be signed: It is"))
        #expect(!rollback.message.contains("\u{1B}"))
    }

    @Test("judge the store by what it looks like")
    func store() {
        let vectors: [(StoreFinding, Diagnosis.Result, String)] = [
            (.missing, .ok, "`pulselog record` creates /s."),
            (.cannotBeMade(parent: "/"), .problem, "none can be created in /."),
            (.inaccessible("Not a directory"), .problem, "accessed: Not a directory."),
            (.readOnly, .problem, "The store /s can be read but not written."),
            (.sound(events: 1_234, bytes: 98_765), .ok, "holds 1,234 events in 98 kB"),
            (.unusable("x", advice: "Do y."), .problem, "The store /s cannot be opened: x."),
        ]
        for (finding, result, words) in vectors {
            let diagnosis = Diagnosis.store(finding, in: "/s")
            #expect(diagnosis.check == .store && diagnosis.result == result)
            #expect(diagnosis.message.contains(words), "\(diagnosis.message)")
            #expect((diagnosis.advice == nil) == (result == .ok))
        }
        // A folder's name is a stranger's text.
        let hostile = Diagnosis.store(
            .unusable("\u{1B}[2J", advice: "Do y."), in: "/\u{1B}[2J"
        ).message
        #expect(!hostile.contains("\u{1B}"))
    }

    @Test("take no adapter that cannot be a central, and prefer one that is on")
    func adapters() {
        func adapter(_ name: String, powered: Bool, central: Bool) -> LocatedObject {
            LocatedObject(
                path: "/org/bluez/\(name)", .adapter, [.powered(powered), .central(central)])
        }
        func check(_ objects: LocatedObject...) -> Diagnosis {
            Diagnosis.adapter(BluezInventory(objects))
        }
        #expect(check().message == "There is no Bluetooth adapter.")
        let peripheral = check(adapter("hci0", powered: true, central: false))
        #expect(peripheral.result == .problem)
        #expect(peripheral.message.contains("(Low Energy)"))
        #expect(check(adapter("hci0", powered: false, central: true)).result == .problem)
        let two = check(
            adapter("hci0", powered: false, central: true),
            adapter("hci1", powered: true, central: true))
        #expect(two.result == .ok)
        #expect(two.message.contains("hci1"))
    }

    @Test("say one thing of the bus, also when it does not answer")
    func bus() {
        for error: InventoryError in [
            .noBus(CallFailure(name: "x.NoServer", message: "none")), .busStuck, .busSilent,
            .noDaemon, .refused(CallFailure(name: "x.NoReply", message: "")),
        ] {
            let found = Diagnosis.bluetooth(.failure(error))
            #expect(found.count { $0.check == .bus } == 1)
            #expect(found.count { $0.result == .problem } == 1)
        }
        let denied = CallFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "")
        let found = Diagnosis.bluetooth(.failure(.refused(denied)))
        #expect(found.map(\.check) == [.bus, .permissions])
    }
}
