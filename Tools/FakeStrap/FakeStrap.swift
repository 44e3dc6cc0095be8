@main
struct FakeStrap {
    static func main() {}
}
