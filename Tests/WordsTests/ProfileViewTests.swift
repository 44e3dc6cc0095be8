import Events
import Foundation
import Projections
import TestSupport
import Testing

@testable import Words

@Suite("The profile on a page")
struct ProfileViewTests {
    private func view(_ settings: [String] = []) throws -> [String: Any] {
        var story = Story()
        let command = try Projections.Command.setWalker(by: settings, story.state)
        guard case .setWalker(let profile, let walker, let preferences) = command else {
            return [:]
        }
        try story.add(.profileChanged(profile))
        try story.add(.walkerDescribed(walker))
        try story.add(.preferencesChanged(preferences))
        return try object(ProfileView(story.state, WalkOutlines(), at: story.moment))
    }

    private func fields(_ view: [String: Any]) throws -> [String: [String: Any]] {
        let cards = try #require(view["cards"] as? [[String: Any]])
        let all = cards.flatMap { $0["fields"] as? [[String: Any]] ?? [] }
        return Dictionary(uniqueKeysWithValues: all.map { ($0["key"] as? String ?? "", $0) })
    }

    private func typed(_ field: [String: Any]?) -> String {
        let parts = field?["parts"] as? [[String: Any]] ?? []
        return parts.map { "\($0["value"] ?? "")\($0["written"] ?? "")" }.joined()
    }

    @Test("is empty at first, and offers nothing that nobody can know")
    func empty() throws {
        let view = try view()
        let fields = try fields(view)
        #expect(typed(fields["height"]) == "cm" && typed(fields["max-hr"]) == "")
        #expect(fields["max-hr"]?["offer"] == nil)
        #expect(fields["alert-above"]?["isOn"] as? Bool == false)
        #expect(typed(fields["alert-above"]) == "150" && typed(fields["auto-lap"]) == "1km")
        let kinds = try #require((view["zones"] as? [String: Any])?["kinds"] as? [[String: Any]])
        #expect(kinds.map { $0["isPossible"] as? Bool } == [true, false, false, true])
        #expect(kinds.map { $0["isChosen"] as? Bool } == [true, false, false, false])
    }

    @Test("has a setting for each value it shows, which sets that value again")
    func again() throws {
        let settings = [
            "height=5ft11in", "weight=165.3lb", "born=1985", "resting-hr=59", "max-hr=176",
            "alert-above=150", "alert-below=95", "auto-lap=0.5miles", "distances=miles",
            "weights=pounds",
        ]
        let fields = try fields(try view(settings))
        for setting in settings.dropLast(2) {
            let parts = setting.split(separator: "=")
            #expect(typed(fields[String(parts[0])]) == String(parts[1]))
        }
        #expect(fields["height"]?["kept"] as? String == "Until then 5 ft 11 in counts.")
        #expect((fields["height"]?["note"] as? String)?.contains("the stride, 29.4 in,") == true)
        #expect((fields["weight"]?["note"] as? String)?.contains("Without it, 154.3 lb") == true)
    }

    @Test("offers a maximum by the age, and what a goal can be next")
    func offers() throws {
        let view = try view(["born=1985", "daily-goal=7250"])
        let offer = try #require(try fields(view)["max-hr"]?["offer"] as? [String: Any])
        #expect(offer["value"] as? String == "179" && offer["button"] as? String == "Use 179")
        let goal = try #require(view["goal"] as? [String: Any])
        #expect(typed(goal) == "7,250")
        #expect(goal["less"] as? Int == 7_000 && goal["more"] as? Int == 7_500)
    }
}
