internal import Glibc

/// A program that was started with chosen standard descriptors.
package struct Child {
    /// How a program ended.
    package enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
        case hung
    }

    /// What becomes of a standard descriptor.
    package enum Descriptor {
        case closed
        case file(String)
    }

    private let processID: pid_t
    private let start = time(nil)

    /// Starts a program; its environment is this one's.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments, without its name.
    ///   - descriptors: What its descriptors 0, 1 and 2 are.
    /// - Throws: ``CampaignError`` if it cannot be started.
    package init(
        _ path: String, _ arguments: [String], _ descriptors: [Descriptor]
    ) throws(CampaignError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in zip(Int32(0)..., descriptors) {
            switch descriptor {
            case .closed:
                posix_spawn_file_actions_addclose(&actions, number)
            case .file(let path):
                let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
                posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            }
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var processID: pid_t = 0
        let result = posix_spawn(&processID, path, &actions, nil, &words, environ)
        guard result == 0 else {
            throw CampaignError(description: "\(path): \(String(cString: strerror(result)))")
        }
        self.processID = processID
    }

    /// Waits for the end, and kills the program when its time is over.
    package func end(withinSeconds limit: Int) -> End {
        while true {
            if let end = end(orKillAfterSeconds: limit) { return end }
            usleep(1_000)
        }
    }

    /// How the program ended; nil while it runs and its time is not over.
    package func end(orKillAfterSeconds limit: Int) -> End? {
        var status: Int32 = 0
        guard waitpid(processID, &status, WNOHANG) == processID else {
            guard time(nil) - start > limit else { return nil }
            kill(processID, SIGKILL)
            waitpid(processID, &status, 0)
            return .hung
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}
