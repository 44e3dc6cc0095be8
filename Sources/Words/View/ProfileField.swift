internal import JSON

/// One thing of a profile as a page lays it out: what is typed, chosen or switched, and what the
/// setting of it is called.
struct ProfileField: JSONObject {
    /// What `profile set` calls it.
    let key: String
    let label: String
    var note = ""
    /// Where more of it is shown, and what leads there.
    var link = (path: "", text: "")
    /// The value, its numbers and units in turn: `5 ft 11 in`; nil where it is not set.
    var value: String?
    /// The units of what is typed; empty where nothing is.
    var units: [String] = []
    /// What can be chosen, by what it is in the setting.
    var choices: [(value: String, name: String)] = []
    /// What is chosen.
    var chosen = ""
    /// Whether its switch is on; nil where there is none.
    var isOn: Bool?
    /// What is typed where the switch is turned on.
    var proposal: String?
    /// What could be the value, why, and what says so.
    var offer: (value: String, text: String, button: String)?

    func writeFields(to json: inout JSONWriter) {
        json.field("key", key)
        json.field("label", label)
        json.field("note", note)
        json.field("path", link.path)
        json.field("pathText", link.text)
        let words = (value ?? proposal)?.split(separator: " ") ?? []
        json.list("parts", units.enumerated()) { json, part in
            let (index, unit) = (part.offset * 2, part.element)
            json.field("value", words.indices.contains(index) ? String(words[index]) : "")
            json.field("unit", unit)
            json.field("written", ["BPM", "steps"].contains(unit) ? "" : unit)
            json.field("name", units.count == 1 && isOn == nil ? label : "\(label), \(unit)")
        }
        json.list("choices", choices) { json, choice in
            json.field("value", choice.value)
            json.field("name", choice.name)
            json.field("isChosen", choice.value == chosen)
        }
        json.field("isOn", isOn)
        json.field("kept", value.map { "Until then \($0) counts." } ?? "")
        if let offer {
            json.object("offer") { json in
                json.field("value", offer.value)
                json.field("text", offer.text)
                json.field("button", offer.button)
            }
        }
    }
}
