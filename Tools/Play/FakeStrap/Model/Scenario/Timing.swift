/// How long bluetoothd and the air take for what they do, in milliseconds.
package struct Timing: Hashable, Sendable {
    /// From the begin of a scan, or of advertising, to the first report.
    var report: UInt64 = 20
    /// From one report of a strap to the next.
    var reportAgain: UInt64 = 1_000
    /// From `Connect`, or from the strap's return, to the link.
    var connect: UInt64 = 20
    /// The same while somebody scans.
    var connectWhileScanning: UInt64 = 20
    /// From a link that breaks in the moment it is made to its end.
    var breakLink: UInt64 = 0
    /// From the link to values for those who subscribed in an earlier one.
    var subscribeAgain: UInt64 = 10
    /// From the link to `ServicesResolved`.
    var resolve: UInt64 = 30
    /// From `ServicesResolved` to the battery's own interface.
    var battery: UInt64 = 20
    /// From `StartNotify` to its answer.
    var startNotify: UInt64 = 5
    /// From `ReadValue` to its answer.
    var read: UInt64 = 5
    /// From `Disconnect` to the end of the link.
    var disconnect: UInt64 = 20
    /// How long `Connect` waits for a strap that is not there.
    var connectLimit: UInt64 = 41_700
    /// How long a strap without a link is remembered after its last report.
    var forget: UInt64 = 30_000
    /// How long a strap may take to answer a request.
    var answerLimit: UInt64 = 30_000
    /// From the consent to a pairing to its end.
    var pair: UInt64 = 20
    /// How long a pairing may take that nobody consents to.
    var pairingLimit: UInt64 = 30_000
    /// From a request without an answer to the end of the link.
    var giveUp: UInt64 = 2_000

    /// As short as the order of things allows; the limits are those of bluetoothd.
    package static let short = Timing()

    /// As measured with bluetoothd 5.66 and a strict controller.
    package static let realistic = Timing(
        report: 100, reportAgain: 10_000, connect: 500, connectWhileScanning: 8_000,
        breakLink: 190, subscribeAgain: 260, resolve: 700, battery: 200, startNotify: 150, read: 60,
        disconnect: 2_000, pair: 800)

    /// The same with other limits.
    func limited(by limits: Scenario.Limits) -> Timing {
        var timing = self
        timing.connectLimit = limits.connect ?? connectLimit
        timing.forget = limits.forget ?? forget
        timing.answerLimit = limits.answer ?? answerLimit
        timing.pairingLimit = limits.pairing ?? pairingLimit
        return timing
    }
}
