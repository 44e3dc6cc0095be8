import EventStore
import Projections
import Recording

/// How commands are answered, and how recorders end.
extension World {
    /// Another process was answered.
    func hold(_ answer: CommandProcess.Answer, of command: CommandProcess) {
        switch answer {
        case .recorded(let range): witness.hold([range], of: command.log)
        // Who was refused has ended nothing.
        case .refused: process?.endCommands.remove(command.number)
        case .late:
            if timeline.now < command.startedAt + CommandProcess.limitMilliseconds {
                witness.complain(.ending, "a command is late before its time is over")
            }
        case .health(let days):
            if days.map(\.total) != command.totals {
                witness.complain(.durable, "of \(command.totals) became \(days)")
            }
            witness.hold(days, of: command.log)
        case .clockNotSet:
            if !command.isClockUnset {
                witness.complain(.steps, "a report was refused, and the clock is set")
            }
        case .failed(let error):
            let isExpected = [.diskFull, .storage].contains(error.code)
            if !isExpected || error != command.log.failure {
                witness.complain(.ending, "a command failed: \(error)")
            }
        }
    }

    /// The recorder has ended by itself.
    func end(_ process: RecorderProcess, _ result: Recorder.End) {
        if case .logFailed(let error) = result {
            let isExpected =
                switch error.code {
                case .diskFull, .storage: error == process.log.failure
                // Who wants to go does not wait for another writer, while there is one.
                case .cancelled: process.mayGiveUp
                default: false
                }
            if !isExpected { witness.complain(.ending, "the log failed: \(error)") }
        } else {
            if result == .done, !process.isEndWanted, process.endCommands.isEmpty {
                checkDuration(process)
            }
            if let boot = witness.stoppedAtBoot {
                witness.settleReadings(before: computer.time(ofBootMilliseconds: boot))
            } else if witness.state.own.recorder.startedPosition != nil, result == .done {
                witness.complain(.ending, "the recorder has ended, and the log does not say so")
            }
            if process.frontPauseMilliseconds == 0 { witness.checkLastScene() }
        }
        leave(process)
    }

    /// A recorder that nobody ends goes on for as long as was planned.
    private func checkDuration(_ process: RecorderProcess) {
        let end = process.plannedEnd
        guard timeline.now < end ?? .max else { return }
        let plan = end.map { "before \($0) ms" } ?? "without a time"
        witness.complain(.ending, "nobody ended the recorder, and it has ended \(plan)")
    }

    /// Every process ends at once.
    func loseAll() {
        if let process { lose(process) }
        losePage()
        for command in commands { command.close(&generator) }
        commands = []
    }

    /// The recorder is killed: of a disk that works it loses what came in the last second at most,
    /// and what came while its last syncs went on.
    func lose(_ process: RecorderProcess) {
        process.kill()
        noteDisk()
        let now = timeline.now
        let unsure = 1_000 + trouble.appendMilliseconds
        if now >= trouble.hinderedAt + 60_000, now >= unsure {
            let stop = witness.stoppedAtBoot.map(computer.time(ofBootMilliseconds:)) ?? .max
            witness.settleReadings(before: min(now - unsure, stop))
        }
        leave(process)
    }

    /// Nobody records any more.
    func leave(_ process: RecorderProcess) {
        process.log.close(&generator)
        bluetooth.clientGone()
        self.process = nil
        disk.unlockRecorder(process.number)
        recoveryAt = nil
        _ = timeline.settle()
        witness.follow()
        witness.forgetRecorder()
    }
}
