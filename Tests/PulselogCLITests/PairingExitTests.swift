import BluetoothCentral
import Events
import Recording
import Testing

@testable import PulselogCLI
import Words

@Suite("A pairing that came to nothing")
struct PairingExitTests {
    @Test(
        "ends with the exit code that a script can tell apart",
        arguments: [
            (.adapter(AdapterChange(.unauthorized, .access)), .permission),
            (.adapter(AdapterChange(.poweredOff, .switched)), .unavailable),
            (.noLink(.denied), .permission), (.notifiesNot(.denied), .permission),
            (.notifiesNot(.taken), .unavailable), (.noLink(.wantsPairing), .unavailable),
            (.noLink(.noAnswer), .unavailable), (.offersNot(.heartRateMeasurement), .unavailable),
            (.offersNothing([]), .unavailable), (.notSeen(trouble: nil), .unavailable),
            (.noBus(CallFailure(name: "NoServer", message: "")), .unavailable),
            (.noBus(CallFailure(name: "AccessDenied", message: "")), .permission),
            (.interrupted, .tryAgain),
        ] as [(PairingFlow.Failure, CommandFailure.Code)])
    func codes(failure: PairingFlow.Failure, code: CommandFailure.Code) {
        #expect(failure.code == code)
    }
}
