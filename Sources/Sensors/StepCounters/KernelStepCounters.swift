package import Events
internal import Files
internal import Glibc
internal import Text

/// The step counters of the machine itself, as the kernel's Industrial I/O gives them.
///
/// A folder of a device holds `in_steps_input`, the steps since the last reboot while activated,
/// and `in_steps_en`, which switches the counter (Linux, ABI/testing/sysfs-bus-iio).
package struct KernelStepCounters: Sendable {
    /// A counter that was found.
    package struct Counter: Sendable {
        /// The identity, the same after each reboot: made of the chip's name and its place on the
        /// bus.
        package let device: DeviceID
        /// The chip's name.
        package let name: String
        fileprivate let folder: String
        /// Whether it was switched on, or cannot be, which was said.
        fileprivate var isSwitched = false
        /// Whether it could not be read the last time, which was said.
        fileprivate var isFailing = false
    }

    /// Where the kernel shows them.
    package static let kernelFolder = "/sys/bus/iio/devices"

    /// The numbers of devices that are looked for.
    private static let limit = 256
    /// The most bytes of an attribute: a page.

    /// The counters, in order of their numbers.
    package private(set) var found: [Counter]

    /// Looks for counters.
    ///
    /// - Parameter folder: The folder with a folder for each device; it need not exist.
    package init(in folder: String = kernelFolder) {
        found = (0..<Self.limit).compactMap { number in
            let device = "\(folder)/iio:device\(number)"
            guard access("\(device)/in_steps_input", F_OK) == 0 else { return nil }
            let name = FilePlace.line(of: "\(device)/name") ?? "step counter"
            return Counter(
                device: Self.identity(name, device), name: name.fitting(64), folder: device)
        }
    }

    /// Reads the counters that a recording is to have; what is off is switched on before its first
    /// reading.
    ///
    /// - Parameter isWanted: Whether a counter is to be read.
    /// - Returns: The readings, as they are to be recorded, and a sentence for each counter that
    ///   stays off, once, or cannot be read, once until it can.
    mutating func read(
        where isWanted: (DeviceID) -> Bool
    ) -> (events: [Event], sentences: [String]) {
        var events: [Event] = []
        var sentences: [String] = []
        for index in found.indices where isWanted(found[index].device) {
            if !found[index].isSwitched {
                found[index].isSwitched = true
                if let sentence = found[index].switchOn() { sentences.append(sentence) }
            }
            if let steps = found[index].steps {
                found[index].isFailing = false
                events.append(
                    .pedometerRead(
                        PedometerRead(device: found[index].device, reading: .counter(steps))))
            } else if !found[index].isFailing {
                found[index].isFailing = true
                sentences.append(
                    "The step counter \(found[index].title) cannot be read; trying again every "
                        + "second. See \(printable(found[index].folder, limit: 60)).")
            }
        }
        return (events, sentences)
    }

    /// A number of the chip's name and its place on the bus: FNV-1a, 48 bits.
    private static func identity(_ name: String, _ folder: String) -> DeviceID {
        // The device's own folder is numbered in order of discovery; the one above it is the bus's.
        let place = FilePath.resolved(folder).map { FilePath.name(of: FilePath.parent(of: $0)) }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(name)\n\(place ?? "")".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return DeviceID(address: hash >> 48 ^ hash, space: .kernel)
    }
}

extension KernelStepCounters.Counter {
    /// The count, or nil if it cannot be read.
    fileprivate var steps: UInt64? {
        FilePlace.line(of: "\(folder)/in_steps_input").flatMap { UInt64($0) }
    }

    fileprivate var title: String { printable(name, limit: 24) }

    /// Switches the counter on, if it can be switched and is off.
    ///
    /// - Returns: What to tell if it stays off.
    fileprivate func switchOn() -> String? {
        let path = "\(folder)/in_steps_en"
        guard FilePlace.line(of: path) == "0" else { return nil }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        let isWritten = descriptor >= 0 && write(descriptor, "1", 1) == 1
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { close(descriptor) }
        guard !isWritten else { return nil }
        return "The step counter \(title) is off and cannot be switched on: \(reason). As root: "
            + "echo 1 > \(printable(path, limit: 60))"
    }
}
