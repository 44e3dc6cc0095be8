internal import Glibc

/// The pages of the code of the program and its libraries, which hold what is in their files.
public enum ProgramPages {
    /// Lets them go from this process's memory; each that is used again comes back from its file.
    ///
    /// Starting takes most of a program's code once, and a recorder that rests needs little of it.
    public static func letGo() {
        do throws(SystemCallError) {
            let maps = try readFile("/proc/self/maps", limit: 1 << 16)?.bytes ?? []
            for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
                // Addresses, permissions, offset, device, inode and path: proc(5).
                let parts = line.split(separator: " ", maxSplits: 5)
                let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                // What can only be read was written when the program was loaded: it must stay.
                guard parts.count == 6, ends.count == 2, parts[1] == "r-xp",
                    parts[5].drop(while: { $0 == " " }).first == "/"
                else { continue }
                let start = unsafe UnsafeMutableRawPointer(bitPattern: ends[0])
                unsafe madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
            }
        } catch {
            return  // Without proc they stay.
        }
    }
}
