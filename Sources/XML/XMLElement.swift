internal import Glibc

/// The start tag of an element, lent while it is shown.
@safe
public struct XMLElement: ~Copyable {
    private let name: UnsafePointer<CChar>
    /// Names and values by turns, then nil.
    private let attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    /// How many elements it is in, itself included: 1 for the outermost.
    public let depth: Int

    init(
        name: UnsafePointer<CChar>, attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>,
        depth: Int
    ) {
        unsafe self.name = name
        unsafe self.attributes = attributes
        self.depth = depth
    }

    /// Its name, prefix included.
    public var qualifiedName: String { unsafe String(cString: name) }

    /// Compares its name.
    ///
    /// - Parameter expected: A name, prefix included.
    /// - Returns: Whether both are the same bytes.
    public borrowing func isNamed(_ expected: StaticString) -> Bool {
        unsafe XMLElement.isSame(name, expected)
    }

    /// Takes the value of an attribute.
    ///
    /// - Parameter name: The attribute's name, prefix included.
    /// - Returns: The value, or nil if the element has no attribute of that name.
    public borrowing func attribute(_ name: StaticString) -> String? {
        unsafe value(of: name).map { unsafe String(cString: $0) }
    }

    /// Compares the value of an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name, prefix included.
    ///   - expected: A value.
    /// - Returns: Whether the element has the attribute, with the same bytes.
    public borrowing func attribute(_ name: StaticString, is expected: StaticString) -> Bool {
        unsafe value(of: name).map { unsafe XMLElement.isSame($0, expected) } ?? false
    }

    /// Gives its attributes, as they are written.
    ///
    /// - Parameter body: Given the name, prefix included, and the value of each.
    public borrowing func forEachAttribute(_ body: (_ name: String, _ value: String) -> Void) {
        var index = 0
        while let name = unsafe attributes[index], let value = unsafe attributes[index + 1] {
            body(unsafe String(cString: name), unsafe String(cString: value))
            index += 2
        }
    }

    private borrowing func value(of expected: StaticString) -> UnsafePointer<CChar>? {
        var index = 0
        while let name = unsafe attributes[index] {
            if unsafe XMLElement.isSame(name, expected) { return unsafe attributes[index + 1] }
            index += 2
        }
        return nil
    }

    static func isSame(_ text: UnsafePointer<CChar>, _ expected: StaticString) -> Bool {
        precondition(expected.hasPointerRepresentation, "The name has only one character.")
        // A static string ends with a zero byte, as C's do.
        return unsafe UnsafeRawPointer(expected.utf8Start).withMemoryRebound(
            to: CChar.self, capacity: expected.utf8CodeUnitCount + 1
        ) { unsafe strcmp(text, $0) == 0 }
    }
}
