internal import BluetoothCentral
internal import Events
package import JSON
internal import Projections

extension Scene {
    /// The version of what is written, raised when a name changes or goes.
    ///
    /// 2 says `storageProblem` and `bluetoothProblem`; 1 said `standstill` and `hindrance`, and had
    /// no version.
    static let fieldsVersion: UInt64 = 2

    /// Writes the fields into an object that is open: how things stand, and what is going on.
    package func writeFields(to json: inout JSONWriter) {
        json.field("version", Self.fieldsVersion)
        json.field("phase", phaseName)
        json.field("recorder", isOwn ? "own" : isRecording ? "other" : "none")
        StatusReport(self).writeFields(to: &json)
        json.object("goal") { json in
            json.field("kind", goal.kind.name)
            json.field("target", goal.target)
        }
        json.field("storageProblem", storageProblem)
        json.field("bluetoothProblem", bluetoothProblem)
        json.field("straps", newStraps)
        json.field("pairing", picking)
        json.object("view") { writeView(to: &$0) }
    }

    /// Who is in range and not paired, the strongest first; nil if nobody wants to know.
    var newStraps: [DeviceSighting]? {
        range?.devices.filter { device in
            !state.own.devices.paired.contains { $0.id.address == device.address.value }
        }
    }

    /// The device that is being paired.
    var picking: DeviceSighting? {
        guard let picked, picked.outcome == .open else { return nil }
        return range?[picked.device] ?? DeviceSighting(address: picked.device)
    }

    /// How far it has come, in a word.
    var phaseName: String {
        switch phase {
        case .settingUp: "settingUp"
        case .starting: "starting"
        case .recording: "recording"
        case .ending, .ended: "ending"
        case .failed: "failed"
        // A recorder of this process is made, or leaves its devices.
        case nil where isOwn: state.own.sessions.open == nil ? "settingUp" : "starting"
        case nil where state.own.sessions.open == nil: isRecording ? "settingUp" : "idle"
        case nil: isRecording ? "recording" : "leftOpen"
        }
    }
}
