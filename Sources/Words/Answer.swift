/// What is told to people as lines and to scripts as JSON, both made of the same value.
public protocol Answer {
    /// Lines for people, each with its end.
    var text: String { get }
    /// One object and a newline.
    var jsonLine: [UInt8] { get }
}
