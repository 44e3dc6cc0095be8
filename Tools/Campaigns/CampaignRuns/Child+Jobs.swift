internal import Glibc

extension Child {
    /// Keeps so many jobs at work until there is nothing more to start, and none runs.
    ///
    /// - Parameters:
    ///   - count: How many jobs there are, numbered from 0.
    ///   - limitSeconds: After how long a program is killed.
    ///   - start: Starts the next work for a job; nil if there is none now.
    ///   - child: The program of a work.
    ///   - take: Takes what came of a work; it may leave more to start.
    /// - Throws: What `start` and `take` throw.
    package static func keepAtWork<Work>(
        jobs count: Int, limitSeconds: Int,
        start: (_ job: Int) throws(CampaignError) -> Work?, child: (Work) -> Child,
        take: (End, Work) throws(CampaignError) -> Void
    ) throws(CampaignError) {
        var works: [Work?] = Array(repeating: nil, count: count)
        repeat {
            for job in works.indices {
                if let work = works[job] {
                    guard let end = child(work).end(orKillAfterSeconds: limitSeconds) else {
                        continue
                    }
                    try take(end, work)
                    works[job] = nil
                }
                works[job] = try start(job)
            }
            usleep(1_000)
        } while works.contains { $0 != nil }
    }
}
