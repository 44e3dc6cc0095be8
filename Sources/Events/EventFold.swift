/// What takes events in, in order.
public protocol EventFold {
    /// What it goes by.
    associatedtype Rules
    /// Takes one event in.
    mutating func evolve(_ event: borrowing EventView, _ rules: Rules)
}
