import Events
import Testing

@Suite("The names of codes")
struct CodedNameTests {
    private static let codes: [any CodedName.Type] = [
        AdapterCause.self, AdapterState.self, CharacteristicCode.self, EndReason.self,
        FixFault.self, GoalKind.self, Intake.self, LapCause.self, LengthUnit.self,
        LinkLossCause.self,
        Listing.self, MassUnit.self, OriginCause.self, PedometerForm.self, PositionApp.self,
        Role.self, Sex.self,
        Sport.self, StopReason.self, Trigger.self, ZoneScheme.self,
    ]

    @Test("are those of their cases, one for each")
    func names() {
        func check<Code: CodedName>(_ code: Code.Type) {
            #expect(Code.names == Code.allCases.map { "\($0)" })
            #expect(Code.names == Code.allCases.map(\.name))
        }
        for code in Self.codes { check(code) }
    }
}
