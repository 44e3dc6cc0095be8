import Foundation
import TestSelection
import TestSupport
import Testing

/// Where a store lies and what happens to its files: what cannot work is a sentence that says why.
@Suite("Place of a store")
struct StorePlaceTests {
    let bench = Workbench()

    /// Records for a moment; the store is made if it is not there.
    @discardableResult
    private func record(
        _ variables: [String: String] = [:], store: String? = nil
    ) async throws -> RunningProgram.End {
        try await bench.start(
            ["record", "--simulate", "--for", "1s", "--store", store ?? bench.store], variables
        ).end
    }

    /// The folder of key and checkpoint.
    private func stateFolder() throws -> String {
        let logs = "\(bench.folder)/.local/state/pulselog"
        let names = try FileManager.default.contentsOfDirectory(atPath: logs)
        return "\(logs)/\(try #require(names.first))"
    }

    // MARK: - Outputs

    @Test("takes no output onto its own files, nor onto its key, whatever an option says")
    func ownFiles() async throws {
        #expect(try await record().status == 0)
        let sound = try await bench.run("log", "verify").text
        let state = try stateFolder()
        #expect(symlink(bench.store, bench.folder + "/link") == 0)
        #expect(symlink(bench.store + "/data.mdb", bench.folder + "/walk.jsonl") == 0)
        #expect(link(state + "/key", bench.folder + "/key.jsonl") == 0)
        let paths =
            ["data.mdb", "lock.mdb", "log.id", "new"].flatMap {
                ["\(bench.store)/\($0)", "\(bench.folder)/link/\($0)"]
            } + ["key", "checkpoint", "new"].map { "\(state)/\($0)" }
            + ["walk.jsonl", "key.jsonl"].map { "\(bench.folder)/\($0)" }
        for path in paths {
            try await bench.expect(
                "export", "--force", "--out", path, status: 73, says: "among the files of a log")
            try await bench.expect("audit", "witness", "--out", path, status: 73)
        }
        for file in ["\(bench.store)/log.id", "\(state)/key"] {
            let end = try await bench.shell(#""$0" export >>"$FILE""#, [], ["FILE": file]).end
            #expect(end.status == 73 && end.messages.contains("Standard output"), "\(file)")
        }
        #expect(unlink(bench.folder + "/key.jsonl") == 0)
        #expect(try await bench.run("log", "verify").text == sound)
        try await bench.expect("export", "--out", bench.folder + "/elsewhere.jsonl")
    }

    @Test(
        "with a second name for its file is read and not written",
        arguments: sample(["link", "symlink"]))
    func secondName(_ kind: String) async throws {
        #expect(try await record().status == 0)
        let other = bench.folder + "/other"
        #expect(mkdir(other, 0o700) == 0)
        let (old, new) = (bench.store + "/data.mdb", other + "/data.mdb")
        #expect((kind == "link" ? link(old, new) : symlink(old, new)) == 0)
        let end = try await record(store: other)
        #expect(end.status == 78 && end.messages.contains("two stores over one file"))
        #expect(!end.messages.contains("check the disk"), "\(end.messages)")
        try await bench.expect("sessions", "--store", other)
        #expect(try await record().status == (kind == "link" ? 78 : 0))
    }

    @Test("whose file is overwritten by another log says so, and shows nothing of it")
    func overwritten() async throws {
        #expect(try await record().status == 0)
        #expect(try await record(store: bench.folder + "/other").status == 0)
        let follower = try bench.start(["log", "tail", "--follow", "-n", "1"])
        _ = try await follower.line { $0.contains("ended") || $0.contains("stopped") }
        let other = try Data(contentsOf: URL(filePath: bench.folder + "/other/data.mdb"))
        let file = try FileHandle(forUpdating: URL(filePath: bench.store + "/data.mdb"))
        try file.write(contentsOf: other)
        try file.close()
        let end = await follower.end
        #expect(end.status != 0 && !end.messages.isEmpty, "\(end.messages)")
        #expect(end.lines.count <= 4, "\(end.text)")
    }

    // MARK: - Folders

    @Test("can be an empty mount point", .enabled(if: SmallDisk.isPossible, "needs root"))
    func mountPoint() async throws {
        #expect(mkdir(bench.store, 0o700) == 0)
        let disk = try SmallDisk(on: bench.store, megabytes: 8)
        defer { disk.unmount() }
        #expect(mkdir(bench.store + "/lost+found", 0o700) == 0)
        let doctor = try await bench.run("doctor").text
        #expect(doctor.contains("There is no store yet"), "\(doctor)")
        let end = try await record()
        #expect(end.status == 0, "\(end.messages)")
        try await bench.expect("log", "verify")
        _ = try await bench.output("log", "backup", bench.folder + "/copy")
        let volume = bench.folder + "/volume"
        #expect(mkdir(volume, 0o700) == 0)
        let second = try SmallDisk(on: volume, megabytes: 8)
        defer { second.unmount() }
        try await bench.expect("log", "restore", bench.folder + "/copy", "--store", volume)
    }

    @Test("can be a link to an empty folder, or to one that is still to be made")
    func linked() async throws {
        #expect(mkdir(bench.folder + "/disk", 0o700) == 0)
        for target in ["disk", "disk/later", "\(bench.folder)/far/away"] {
            let link = bench.folder + "/link"
            unlink(link)
            #expect(symlink(target, link) == 0)
            let end = try await record(store: link)
            #expect(end.status == 0, "\(target): \(end.messages)")
            try await bench.expect("log", "verify", "--store", link)
        }
    }

    @Test("on an overlay is noticed when a writer moves it up", .enabled(if: SmallDisk.isPossible))
    func overlay() async throws {
        #expect(try await record().status == 0)
        let end = try await bench.shell(
            """
            set -e; cd "$HOME"; mkdir disk; unshare -m bash -c 'mount -t tmpfs none disk
            mkdir disk/up disk/work merged
            o=lowerdir=store,upperdir=disk/up,workdir=disk/work
            mount -t overlay none -o $o merged || exit 3
            export PULSELOG_STORE=$HOME/merged
            timeout 20 "$0" log tail --follow >followed 2>&1 & p=$!
            for i in $(seq 200); do [ -s followed ] && break; sleep 0.1; done
            "$0" record --simulate --for 1s >/dev/null 2>&1 || exit 4
            wait $p; [ $? = 74 ] && cat followed' "$0"
            """
        ).end
        if end.status == 3 { return }  // This kernel, or this container, has no overlays.
        #expect(end.status == 0 && end.text.contains("replaced"), "\(end.text) \(end.messages)")
    }

    // MARK: - Processes and users

    @Test(
        "that two containers share names the cause",
        .enabled(if: SmallDisk.isPossible, "needs root"))
    func sharedProcessNumber() async throws {
        #expect(try await record().status == 0)
        let end = try await bench.shell(
            """
            cd "$HOME"
            unshare -pf --kill-child --mount-proc "$0" serve --port 0 >served 2>&1 & p=$!
            for i in $(seq 100); do grep -q http served && break; sleep 0.1; done
            unshare -pf --mount-proc "$0" status; s=$?
            kill $(ps -o pid= --ppid $p); wait $p; exit $s
            """
        ).end
        #expect(end.status == 78, "\(end.messages)")
        #expect(end.messages.contains("in another container") && end.messages.contains("--init"))
        #expect(!end.messages.contains("check the disk"))
    }

    @Test(
        "that cannot keep its checkpoint says so everywhere",
        .enabled(if: SmallDisk.isPossible, "needs root"))
    func unwritableState() async throws {
        #expect(try await record().status == 0)
        let state = bench.folder + "/.local/state"
        #expect(mount(state, state, "", UInt(MS_BIND), nil) == 0)
        defer { #expect(umount2(state, Int32(MNT_DETACH)) == 0) }
        #expect(mount("", state, "", UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0)
        for command in [["record", "--simulate", "--for", "1s"], ["log", "verify"], ["doctor"]] {
            let end = try await bench.start(command).end
            let words = (end.text + end.messages).replacing("\n", with: " ")
            #expect(words.contains("Read-only file system"), "\(command): \(words)")
        }
    }

    @Test("says why nothing is signed where there is no home")
    func noHome() async throws {
        let environment = ["HOME": ""]
        let end = try await bench.shell(
            #"unset HOME; "$0" record --simulate --for 1s; "$0" log verify"#, [], environment
        ).end
        #expect(end.status == 0 && end.text.contains("HOME is not set"), "\(end.text)")
        #expect(end.messages.contains("HOME is not set"), "\(end.messages)")
    }

    @Test("goes on for its owner after a command of root's", .enabled(if: geteuid() == 0))
    func rootInBetween() async throws {
        let end = try await bench.shell(
            """
            set -e; export HOME=$HOME/home XDG_RUNTIME_DIR=; unset PULSELOG_STORE; mkdir $HOME
            chown 61184 $HOME; chmod 755 $HOME/..
            U() { setpriv --reuid=61184 --regid=61184 --clear-groups "$@"; }
            U "$0" record --simulate --for 1s; "$0" record --simulate --for 1s; "$0" health token
            find $HOME -user root; U "$0" record --simulate --for 1s; U "$0" health token
            U "$0" log verify
            chown root $HOME/.local/state/pulselog/*/checkpoint; ! U "$0" log verify
            """
        ).end
        #expect(end.status == 0, "\(end.text) \(end.messages)")
        #expect(end.text.contains("signed, over all of them"), "\(end.text)")
        #expect(!end.messages.contains("not signed"), "\(end.messages)")
        let words = end.text.replacing("\n", with: " ")
        #expect(words.contains("belongs to root") && words.contains("sudo chown"), "\(end.text)")
    }

    @Test("records no zone that this machine does not know")
    func unknownZone() async throws {
        let end = try await record(["TZ": "Nowhere/Land"])
        #expect(end.messages.contains("no data for the time zone Nowhere/Land"))
        let log = try await bench.run("log", "cat", "--json").text
        #expect(log.contains(#""zoneName":"UTC""#) && !log.contains("Nowhere"))
        let doctor = try await bench.run("doctor", variables: ["TZ": "Nowhere/Land"])
        #expect(doctor.text.contains("Install the package tzdata"), "\(doctor.text)")
    }
}
