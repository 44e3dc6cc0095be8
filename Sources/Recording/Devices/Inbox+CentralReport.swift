package import BluetoothCentral
package import Clocks

extension Inbox {
    /// Puts in what the central reports: values as far as there is room, what is rare always.
    ///
    /// - Parameters:
    ///   - report: What the central has to say.
    ///   - arrival: When its cause arrived.
    package func put(_ report: CentralReport, at arrival: Arrival) {
        let happening = Arrived(.reported(report), at: arrival)
        switch report {
        case .valueNotified, .valueRead, .valueCut, .deviceSeen, .intakeFinding:
            put(happening)
        default: insist(happening)
        }
    }
}
