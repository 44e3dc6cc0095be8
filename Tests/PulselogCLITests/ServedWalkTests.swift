import EventStoreLMDB
import Foundation
import TestSupport
import Testing

@Suite("A walk from a browser", .timeLimit(.minutes(5)))
struct ServedWalkTests {
    private static let strap = #""address":"C4:00:00:00:00:01""#
    private static let scenario = #"""
        {"devices":[{"id":"strap","name":"Strap One","address":"C4:00:00:00:00:01","play":[
            {"wait":"subscribed"},{"stream":"hr","for":600,"rate":5}]},
        {"id":"other","name":"Strap Two","address":"C4:00:00:00:00:02","rssi":-75}]}
        """#

    private let bench = Workbench()

    private func kinds() async throws -> [String] {
        try await bench.run("log", "cat", "--json").lines.map { try Line($0).text("kind") }
    }

    @Test("is set up, paired for, begun, paused, marked, resumed and ended there")
    func walk() async throws {
        try await bench.playing(scenario: Self.scenario) { play in
            let page = try await ServedPage(bench, variables: play.variables)
            try await page.scene(with: #""phase":"idle","recorder":"none""#)
            #expect(try await page.ask("setUp").status == 200)
            // Nobody pairs by himself here: the walker picks.
            let range = try await page.scene(with: #""name":"Strap Two""#)
            #expect(range.contains(#""phase":"settingUp","recorder":"own""#))
            #expect(range.contains(Self.strap) && range.contains(#""pairing":null"#))
            #expect(try await page.ask("pair", Self.strap).status == 200)
            try await page.scene(with: #""activity":"connected""#)
            let goal = #""goal":{"kind":"steps","target":6000},"outAndBack":true"#
            let begun = try await page.ask("start", goal)
            #expect(begun.status == 200)
            #expect(begun.body.contains(#""events":1"#))
            let own = try await page.scene(with: #""phase":"recording""#)
            #expect(own.contains(#""outAndBack":true"#))
            let again = try await page.ask("start")
            #expect(again.status == 409 && again.body.contains(#""code":"refused""#))
            #expect(try await page.ask("pause").status == 200)
            try await page.scene(with: #""state":"paused""#)
            #expect(try await page.ask("mark", #""text":"the bridge""#).status == 200)
            #expect(try await page.ask("resume").status == 200)
            #expect(try await page.ask("finish").status == 200)
            try await page.scene(with: #""phase":"idle""#)
            let sessions = try await page.get("/api/sessions")
            #expect(sessions.body.contains(#""endReason":"requested""#))
            await page.end()
            let kinds = try await kinds()
            #expect(kinds.filter { $0 == "sessionStarted" }.count == 1)
            #expect(kinds.last == "recorderStopped")
        }
    }

    @Test("stays open when the server ends, and is gone on with from the next one")
    func continued() async throws {
        try await bench.playing(scenario: Self.scenario) { play in
            let first = try await ServedPage(bench, variables: play.variables)
            #expect(try await first.ask("start").status == 200)
            await first.end()
            let second = try await ServedPage(bench, variables: play.variables)
            try await second.scene(with: #""phase":"leftOpen","recorder":"none""#)
            // What the strap sends while somebody looks belongs to no walk that was left.
            for command in ["setUp", "scan", "start"] {
                let refused = try await second.ask(command)
                #expect(refused.status == 409 && refused.body.contains("sessionOpen"))
            }
            #expect(try await second.ask("continue").status == 200)
            let told = try await second.scene(with: #""phase":"recording","recorder":"own""#)
            #expect(told.contains(#""state":"running""#))
            #expect(try await second.ask("continue").status == 409)
            #expect(try await second.ask("finish").status == 200)
            try await second.scene(with: #""phase":"idle""#)
            #expect(try await second.ask("continue").status == 409)
            await second.end()
            let kinds = try await kinds()
            #expect(kinds.filter { $0 == "sessionStarted" }.count == 1)
            #expect(kinds.filter { $0 == "recorderStarted" }.count == 2)
        }
    }

    @Test("is told and steered, and not begun, where a terminal records")
    func beside() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        try await recorder.event("sessionStarted")
        let page = try await ServedPage(bench)
        try await page.scene(with: #""phase":"recording","recorder":"other""#)
        for (command, more) in [("setUp", ""), ("start", ""), ("pair", Self.strap)] {
            let refused = try await page.ask(command, more)
            #expect(refused.status == 409, "\(command): \(refused.text)")
            #expect(refused.body.contains(#""code":"otherRecorder""#))
        }
        #expect(try await page.ask("pause").status == 200)
        try await recorder.line { $0.contains("sessionPaused") }
        #expect(try await page.ask("finish").status == 200)
        #expect(await recorder.end.status == 0)
        try await page.scene(with: #""phase":"idle","recorder":"none""#)
        await page.end()
    }

    @Test("a page that only prepares a walk lets a terminal record; what holds a store is named")
    func givesWay() async throws {
        let page = try await ServedPage(bench)
        let (pid, recorder) = (page.server.processID, ["record", "--simulate", "--json"])
        #expect(try await page.ask("setUp").status == 200)
        try await bench.expect("finish", status: 64, says: "serve` (process \(pid), started")
        let record = try bench.start(recorder)
        try await record.event("sessionStarted")
        let name = "`pulselog record` (process \(record.processID), started"
        // A page has no use for the number.
        let used = "The recorder is used by `pulselog record` (started"
        #expect(try await page.ask("setUp").text.contains(used))
        try await page.scene(with: #""elsewhere":"\#(used)"#)
        try await bench.expect(
            recorder, status: 75, says: "A walk is being recorded by \(name)",
            "`pulselog finish` ends it")
        try await bench.expect("finish")
        // Nobody waits for the end of the one before.
        let third = try bench.start(recorder)
        try await third.event("sessionStarted")
        await third.finish()
        #expect(await record.end.status == 0)
        #expect(try await page.ask("setUp").status == 200)
        await page.end()
    }

    @Test("a recorder whose walk was finished is waited for, though it has not said that it ends")
    func leaves() async throws {
        let record = try bench.start(["record", "--simulate", "--json"])
        try await record.event("sessionStarted")
        record.signal(SIGKILL)
        _ = await record.end
        // This process has the walk now, and leaves as late as a recorder on a busy machine.
        let lock = try RecorderLock(
            directory: bench.store, startText: "at noon", command: .record)
        try await bench.expect("finish")
        let next = try bench.start(["record", "--simulate", "--json"])
        try await next.message(containing: "Waiting for `pulselog record` (process \(getpid()), ")
        lock.release()
        try await next.event("sessionStarted")
        await next.finish()
    }

    @Test("is asked again to give way where the first time was lost, and is named meanwhile")
    func givesWayLate() async throws {
        let page = try await ServedPage(bench)
        #expect(try await page.ask("setUp").status == 200)
        let folder = open(bench.store, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Somebody who looks does so for longer than the recorder is patient.
        #expect(flock(folder, LOCK_SH) == 0)
        let record = try bench.start(["record", "--simulate", "--json"])
        let words = "Waiting for `pulselog serve` (process \(page.server.processID), started"
        try await record.message(containing: words)
        close(folder)
        try await record.event("sessionStarted")
        await record.finish()
        await page.end()
    }

    @Test("says why a device cannot be paired")
    func unpairable() async throws {
        let scenario = #"""
            {"devices":[{"name":"Strap One","address":"C4:00:00:00:00:01","play":[
                {"refuse":"StartNotify","error":"org.bluez.Error.NotPermitted",
                    "message":"Notify acquired"},
                {"wait":"subscribed"},{"stream":"hr","for":600}]}]}
            """#
        try await bench.playing(scenario: scenario) { play in
            let page = try await ServedPage(bench, variables: play.variables)
            let refused = try await page.ask("pair", Self.strap)
            #expect(refused.status == 409)
            #expect(refused.body.contains("Another program has exclusive use of Strap One."))
            #expect(try await !kinds().contains("devicePaired"))
            // It can be tried again.
            #expect(try await page.ask("pair", Self.strap).status == 200)
            await page.end()
        }
        let other = Workbench()
        let page = try await ServedPage(other)
        let dark = try await page.ask("pair", Self.strap)
        #expect(dark.status == 409)
        #expect(dark.body.contains(/Bluetooth is unavailable|The system bus cannot be reached/))
        await page.end()
    }

    @Test("is shown and steered beside the terminal that records it")
    func recordServes() async throws {
        let arguments = ["record", "--simulate", "--serve", "--port", "0", "--json"]
        let recorder = try bench.start(arguments)
        var announced = ""
        for await line in recorder.messages where line.text.contains("/?token=") {
            announced = line.text
            break
        }
        let page = try ServedPage(recorder, announcement: announced)
        let own = try await page.scene(with: #""phase":"recording","recorder":"own""#)
        #expect(own.contains(#""state":"running""#))
        #expect(try await page.ask("scan").status == 200)
        #expect(try await page.ask("continue").status == 409)
        #expect(try await page.ask("pause").status == 200)
        try await page.scene(with: #""state":"paused""#)
        #expect(try await page.ask("finish").status == 200)
        #expect(await recorder.end.status == 0)
    }
}
