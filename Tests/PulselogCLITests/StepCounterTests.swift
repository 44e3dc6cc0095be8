import Foundation
import TestSupport
import Testing

@Suite("The machine's step counters")
struct StepCounterTests {
    let bench = Workbench()

    /// A counter in a folder like the kernel's.
    private struct Kernel {
        let folder: String
        private let device: String

        init(in bench: Workbench, _ name: String = "bmi323", number: Int = 3) throws {
            folder = bench.folder + "/bus/iio"
            device = try bench.folder("bus/iio/iio:device\(number)")
            try set("name", name)
        }

        func set(_ attribute: String, _ value: String) throws {
            try Data("\(value)\n".utf8).write(to: URL(filePath: "\(device)/\(attribute)"))
        }

        func text(_ attribute: String) throws -> String {
            try String(contentsOfFile: "\(device)/\(attribute)", encoding: .utf8)
        }

        var variables: [String: String] {
            ["PULSELOG_IIO": folder].merging(Noon().variables) { $1 }
        }
    }

    @Test("I7: are switched on, paired and read each second; a restart counts what it shows")
    func counting() async throws {
        let kernel = try Kernel(in: bench)
        try kernel.set("in_steps_en", "0")
        try kernel.set("in_steps_input", "100")
        let recorder = try bench.start(["record", "--json"], kernel.variables)
        _ = try await recorder.line { $0.contains("\"count\":100,") }
        #expect(try kernel.text("in_steps_en").hasPrefix("1"))
        try kernel.set("in_steps_input", "107")
        _ = try await recorder.line { $0.contains("\"count\":107,") }
        try kernel.set("in_steps_input", "3")
        _ = try await recorder.line { $0.contains("\"count\":3,") }
        await recorder.finish()
        let status = try await bench.object("status", variables: kernel.variables)
        #expect(try status.object("steps").integer("today") == 10)
        try await bench.expect("devices", says: "bmi323", "kernel/", "primary")
    }

    @Test("one that does not answer holds up neither the recording nor its end")
    func hanging() async throws {
        let kernel = try Kernel(in: bench)
        for attribute in ["in_steps_input", "in_steps_en"] {
            #expect(mkfifo("\(kernel.folder)/iio:device3/\(attribute)", 0o600) == 0)
        }
        // A recorder that does not end is killed, and its status says so.
        let record = try bench.start(["record", "--json", "--for", "2s"], kernel.variables)
        #expect(await record.end.status == 0)
    }

    @Test("I7: one that cannot be read is told once, and counts again when it can")
    func failing() async throws {
        let kernel = try Kernel(in: bench)
        try kernel.set("in_steps_input", "garbage")
        let other = try Kernel(in: bench, "other", number: 4)
        try other.set("in_steps_input", "1000")
        let recorder = try bench.start(["record", "--json"], kernel.variables)
        _ = try await recorder.message(containing: "bmi323 cannot be read")
        // Each count that another counter shows is a second in which this one is read again.
        for count in 1_001...1_003 {
            try other.set("in_steps_input", "\(count)")
            _ = try await recorder.line { $0.contains("\"count\":\(count),") }
        }
        try kernel.set("in_steps_input", "5")
        _ = try await recorder.line { $0.contains("\"count\":5,") }
        let end = await recorder.finish()
        #expect(end.messages.components(separatedBy: "cannot be read").count == 2)
    }

    @Test("I7: one that was forgotten is left alone")
    func forgotten() async throws {
        let kernel = try Kernel(in: bench)
        try kernel.set("in_steps_input", "5")
        _ = try await bench.output("record", "--for", "1s", variables: kernel.variables)
        let devices = try await bench.text("devices", "--json")
        let address = try Line(devices).text("address")
        _ = try await bench.output("devices", "forget", address)
        try kernel.set("in_steps_en", "0")
        _ = try await bench.output("record", "--for", "2s", variables: kernel.variables)
        #expect(try await bench.text("devices", "--json").isEmpty)
        #expect(try kernel.text("in_steps_en") == "0\n")
        _ = try await bench.output("devices", "pair", address, variables: kernel.variables)
        #expect(try await bench.text("devices", "--json") == devices)
        let recorder = try bench.start(["record", "--json"], kernel.variables)
        _ = try await recorder.line { $0.contains("\"count\":5,") }
        #expect(try kernel.text("in_steps_en").hasPrefix("1"))
        await recorder.finish()
    }
}
