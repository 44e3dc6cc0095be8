import Foundation
import TestSupport
import Testing

/// A data file that another machine or another tool has made.
@Suite("The file of a store")
struct StoreFileTests {
    let bench = Workbench()

    private var dataFile: URL { URL(filePath: bench.store + "/data.mdb") }

    /// The variables with which a program sees pages of 16 KiB, as on a Raspberry Pi 5.
    private func largePages() async throws -> [String: String] {
        let source = try bench.file("pages.c", Array(Self.largePages.utf8))
        let library = bench.folder + "/pages.so"
        let compiler = try RunningProgram(
            "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", library, source],
            environment: ProcessInfo.processInfo.environment)
        let end = await compiler.end
        guard end.status == 0 else { throw ProgramError(end.messages) }
        return ["LD_PRELOAD": library]
    }

    private static let largePages = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        long sysconf(int name) {
            if (name == _SC_PAGESIZE) return 16384;
            return ((long (*)(int))dlsym(RTLD_NEXT, "sysconf"))(name);
        }
        int getpagesize(void) { return 16384; }
        """

    @Test("has pages of 4 KiB where the system's have 16, and goes there and back")
    func pageSizes() async throws {
        let there = try await largePages()
        let capture = ReplayCase("ordinary-walk").capture
        _ = try await bench.output("import", capture, variables: there)
        for (variables, height) in [([:], 180), (there, 181)] {
            _ = try await bench.output(
                "profile", "set", "height=\(height)cm", variables: variables)
            let pageSize = try Data(contentsOf: dataFile)[40..<44]
            #expect(Array(pageSize) == [0, 16, 0, 0], "4,096")
            for variables in [there, [:]] {
                try await bench.expect("log", "verify", variables: variables)
            }
        }
        let (here, other) = try await (
            bench.output("export"), bench.output("export", variables: there)
        )
        #expect(here == other)
    }

    @Test("with pages that are neither in use nor free is a finding, and used all the same")
    func lostPages() async throws {
        try await bench.load("ordinary-walk")
        let sound = try await bench.object("log", "verify")
        #expect(try sound.integer("lostPages") == 0)
        var file = try Data(contentsOf: dataFile)
        file.append(Data(count: 4_096))
        for meta in [0, 4_096] { file[meta + 136] = UInt8(file.count / 4_096 - 1) }
        try file.write(to: dataFile)
        try await bench.expect("log", "verify", says: "can no longer be used")
        let line = try await bench.object("log", "verify")
        #expect(try line.flag("sound") && line.integer("lostPages") > 0)
        _ = try await bench.output("log", "backup", bench.folder + "/copy", "--compact")
        let copy = try await bench.object("log", "verify", "--store", bench.folder + "/copy")
        #expect(try copy.integer("lostPages") == 0)
    }
}
