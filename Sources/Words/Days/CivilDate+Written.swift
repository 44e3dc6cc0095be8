package import Events

extension CivilDate {
    /// What people write for a date, for the help of options and their errors.
    package static let writtenForms =
        "2026-03-01, 1 Mar, 1 Mar 2026, today, yesterday, tuesday or last friday"

    /// Reads a date as people write it, in English, whatever the case.
    ///
    /// A weekday is the latest one up to today, `last friday` the latest before today, and a day of
    /// a month without a year likewise; names may be cut to three letters or more.
    ///
    /// - Parameters:
    ///   - text: One of ``writtenForms``.
    ///   - today: The date of today.
    package init?(written text: String, today: CivilDate) {
        if let date = CivilDate(text) {
            self = date
            return
        }
        let words = text.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
        let date: CivilDate? =
            switch words.count {
            case 1 where words[0] == "today": today
            case 1 where words[0] == "yesterday": today.advanced(by: -1)
            case 1: today.latest(words[0])
            case 2 where words[0] == "last": today.advanced(by: -1).latest(words[1])
            case 2...3: today.latest(words[0], words[1], of: words.dropFirst(2).first)
            default: nil
            }
        guard let date else { return nil }
        self = date
    }

    /// The latest date of a weekday up to this one.
    private func latest(_ name: String) -> CivilDate? {
        Self.index(of: name, in: Self.weekdays).map { advanced(by: -Int64((weekday - $0 + 7) % 7)) }
    }

    /// A day of a month, in either order, of a year or the latest up to this date.
    private func latest(_ first: String, _ second: String, of year: String?) -> CivilDate? {
        let (number, name) = Int64(first) == nil ? (second, first) : (first, second)
        guard let day = Int64(number), let index = Self.index(of: name, in: Self.months) else {
            return nil
        }
        let month = Int64(index + 1)
        if let year {
            return Int64(year).flatMap { CivilDate(year: $0, month: month, day: day) }
        }
        // A leap day may be eight years ago.
        return (0...8).lazy
            .compactMap { CivilDate(year: components.year - $0, month: month, day: day) }
            .first { $0 <= self }
    }

    /// Which of some names begins so.
    private static func index(of start: String, in names: [String]) -> Int? {
        start.utf8.count < 3 ? nil : names.firstIndex { $0.lowercased().hasPrefix(start) }
    }
}
