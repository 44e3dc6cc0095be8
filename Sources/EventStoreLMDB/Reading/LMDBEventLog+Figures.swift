public import EventStore
internal import Files
internal import Glibc

extension LMDBEventLog {
    /// What the store tells of itself; what cannot be read is missing.
    ///
    /// - Parameter folder: Where the key and the last checkpoint are; nil for nowhere.
    /// - Returns: What is known.
    public func figures(in folder: CheckpointFolder?) -> StoreFigures {
        var figures = StoreFigures()
        figures.commits = writer?.figures
        if let folder {
            figures.selfCheck = lastSelfCheck(in: folder)
            figures.checkpointAtMilliseconds = folder.checkpointAtMilliseconds
        }
        do throws(EventLogError) {
            figures.sizeBytes = try statistics().fileBytes
        } catch {
            return figures  // What cannot be read cannot be compared either.
        }
        guard let folder else { return figures }
        do throws(CheckpointError) {
            figures.signedEvents = try signedEvents(in: folder)
        } catch {
            return figures  // The next seal reports why.
        }
        return figures
    }
}

extension CheckpointFolder {
    /// When the last checkpoint was kept, as the file system has it: UTC in milliseconds since
    /// 1970-01-01; nil if there is none.
    fileprivate var checkpointAtMilliseconds: Int64? {
        do throws(SystemCallError) {
            let time = try OpenFile(checkpointPath, O_RDONLY | O_NOFOLLOW).status?.st_mtim
            return time.map { Int64($0.tv_sec) * 1_000 + Int64($0.tv_nsec) / 1_000_000 }
        } catch {
            return nil
        }
    }
}
