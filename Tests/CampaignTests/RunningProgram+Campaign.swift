import TestSupport

extension RunningProgram {
    /// Runs a campaign to its end, with a home folder of its own.
    static func campaign(_ name: String, _ arguments: [String]) async throws -> End {
        let folder = try TemporaryDirectory()
        let environment = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.path, "TZ": "UTC",
            "LC_ALL": "C",
        ]
        let program = try RunningProgram(
            builtPrograms + "/" + name, arguments, environment: environment)
        let end = await program.end
        try folder.remove()
        return end
    }
}
