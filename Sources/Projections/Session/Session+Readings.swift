import Decoding
import Events

/// What arrives while a session is open. The caller has settled the time up to `now`.
extension Session {
    /// Takes a heart-rate value that was decoded.
    ///
    /// One reason excludes a reading: paused before no contact before zero.
    @inline(__always)
    mutating func receive(
        _ measurement: HeartRateMeasurement, _ value: Span<UInt8>, at now: UInt64,
        position: Position
    ) {
        let bpm = measurement.heartRateBPM
        if state == .running, bpm > 0, measurement.contact != .notDetected {
            heartRate.add(bpm, at: now, position: position)
            if measurement.rrIntervalCount == 0 {
                rr.breakAdjacency()
            } else {
                let before = rr.raw.sumTicks
                for index in 0..<measurement.rrIntervalCount {
                    rr.add(measurement.rrInterval1024ths(at: index, in: value))
                }
                rr.follow(rr.raw.sumTicks - before, at: now)
            }
        } else {
            exclude(measurement)
        }
    }

    private mutating func exclude(_ measurement: HeartRateMeasurement) {
        rr.endSpan()
        heartRate.weighing = 0
        if state == .paused {
            heartRate.excludedPaused.add(1)
        } else if measurement.contact == .notDetected {
            heartRate.excludedNoContact.add(1)
        } else {
            heartRate.excludedZero.add(1)
        }
    }

    /// Takes note of a value that could not be decoded.
    mutating func receiveUndecodable() {
        rr.endSpan()
        heartRate.excludedUndecodable.add(1)
    }

    /// Takes what the chosen pedometer counted since its reading before.
    @inline(__always)
    mutating func receive(_ delta: StepsDelta) {
        guard state == .running else { return }
        guard !awaitsFirstReading else {
            awaitsFirstReading = false
            return
        }
        steps.add(delta.steps)
        if let distance = delta.distanceMillimetres {
            pedometerMillimetres.add(distance)
            hasPedometerDistance = true
        } else {
            strideSteps.add(delta.steps)
        }
    }
}

// MARK: - The state machine

extension Session {
    mutating func pause(at now: UInt64) -> Bool {
        guard state == .running else { return false }
        state = .paused
        pausedAtFold = now
        pauses.add(1)
        rr.endSpan()
        return true
    }

    mutating func resume(awaitsFirstReading: Bool) -> Bool {
        guard state == .paused else { return false }
        state = .running
        self.awaitsFirstReading = awaitsFirstReading
        return true
    }

    mutating func end(_ event: SessionEnded, _ header: EventHeader, stepsToday: UInt64) {
        state = .ended
        endedAt = header.stamp
        endReason = event.reason
        stepsTodayAtEnd = stepsToday
    }
}
