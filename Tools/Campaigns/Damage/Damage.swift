/// One way in which a data file was damaged, as a line of text can say it.
enum Damage: Hashable, Sendable {
    /// Another value for one byte.
    case byte(offset: Int, value: UInt8)
    /// A page full of zeros.
    case zero(page: Int)
    /// A page over which another one was copied.
    case copy(page: Int, from: Int)
    /// Two pages in each other's place.
    case swap(page: Int, with: Int)
    /// A file that ends early.
    case cut(bytes: Int)

    static let pageBytes = 4_096

    /// Damages the content of a file.
    func apply(to file: inout [UInt8]) {
        switch self {
        case .byte(let offset, let value):
            file[offset] = value
        case .zero(let page):
            file.replaceSubrange(
                Self.bytes(of: page), with: [UInt8](repeating: 0, count: Self.pageBytes))
        case .copy(let page, let other):
            file.replaceSubrange(Self.bytes(of: page), with: file[Self.bytes(of: other)])
        case .swap(let page, let other):
            let bytes = Array(file[Self.bytes(of: page)])
            file.replaceSubrange(Self.bytes(of: page), with: file[Self.bytes(of: other)])
            file.replaceSubrange(Self.bytes(of: other), with: bytes)
        case .cut(let bytes):
            file.removeSubrange(bytes...)
        }
    }

    private static func bytes(of page: Int) -> Range<Int> {
        page * pageBytes..<(page + 1) * pageBytes
    }

    /// Three other values for each byte of a file.
    static func ofBytes(_ file: [UInt8]) -> [Damage] {
        var all: [Damage] = []
        for offset in file.indices {
            let value = file[offset]
            let flipped = value ^ 1 << UInt8(offset % 8)
            for other in Set([flipped, value &+ 1, value < 0x80 ? 0xFF : 0x00]).sorted() {
                all.append(.byte(offset: offset, value: other))
            }
        }
        return all
    }

    /// Each page of a file zeroed, swapped with and covered by every other (in a large file by the
    /// three before and after it), and every end at a page or just beside one.
    static func ofPages(_ file: [UInt8]) -> [Damage] {
        var all: [Damage] = []
        let pageCount = file.count / pageBytes
        let reach = pageCount > 64 ? 3 : pageCount
        for page in 0..<pageCount {
            all.append(.zero(page: page))
            for other in max(0, page - reach)..<min(pageCount, page + reach + 1)
            where other != page {
                all.append(.copy(page: page, from: other))
                if other > page { all.append(.swap(page: page, with: other)) }
            }
            for bytes in [page * pageBytes, page * pageBytes + 1, (page + 1) * pageBytes - 1] {
                all.append(.cut(bytes: bytes))
            }
        }
        return all
    }
}

extension Damage: CustomStringConvertible {
    var description: String {
        switch self {
        case .byte(let offset, let value): "byte \(offset) \(value)"
        case .zero(let page): "zero \(page)"
        case .copy(let page, let other): "copy \(page) \(other)"
        case .swap(let page, let other): "swap \(page) \(other)"
        case .cut(let bytes): "cut \(bytes)"
        }
    }

    /// Reads what ``description`` has written; nil if it has not.
    init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int($0) }
        switch (words.first, numbers.count) {
        case ("byte", 2):
            self = .byte(offset: numbers[0], value: UInt8(truncatingIfNeeded: numbers[1]))
        case ("zero", 1): self = .zero(page: numbers[0])
        case ("copy", 2): self = .copy(page: numbers[0], from: numbers[1])
        case ("swap", 2): self = .swap(page: numbers[0], with: numbers[1])
        case ("cut", 1): self = .cut(bytes: numbers[0])
        default: return nil
        }
    }
}
