internal import Glibc
internal import LMDB

/// Begins a write to a store, says so in one line, and ends it when standard input ends.
///
/// Tests stop it in the middle of the write, which holds up everybody else who writes.
@main
enum HeldWrite {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: HeldWrite STORE")
            exit(64)
        }
        do {
            let environment = try Environment(
                directory: CommandLine.arguments[1], mapSizeBytes: 1 << 30, databases: ["log"],
                mode: .existing)
            try environment.write { _ in
                let line = Array("writing\n".utf8)
                write(STDOUT_FILENO, line, line.count)
                while readLine() != nil {}
            }
        } catch {
            print(error)
            exit(74)
        }
    }
}
