import Foundation
import Logging
import PacketCapture
import ServiceLifecycle
import StandardStreams

/// A sensor and the delivery of what it tells, until the source ends or the program is to stop.
struct CaptureService: Service {
    let sensor: Sensor
    let delivery: any Delivery
    /// How long to go on delivering after a live capture ended, and how long to try with each batch of a file.
    let flushTime: Duration
    /// Takes the lines that are for people.
    let voice: CaptureVoice
    /// Is called once signals are obeyed.
    var onStart: @Sendable () -> Void = {}
    private let tally = DeliveryTally()

    init(
        sensor: Sensor, delivery: any Delivery, flushTime: Duration, voice: CaptureVoice,
        onStart: @escaping @Sendable () -> Void = {}
    ) {
        self.sensor = sensor
        self.delivery = delivery
        self.flushTime = flushTime
        self.voice = voice
        self.onStart = onStart
    }

    /// - Throws: `CaptureError` when the interface is gone; ``CaptureFailure`` when something was not delivered.
    func run() async throws {
        onStart()
        let result = await follow()
        sensor.handover.abandon()
        sensor.stop()
        let hasEnded = await hasSensorEnded()
        let summary = summary
        voice.conclude(summary, isLive: sensor.settings.isLive)
        try result.get()
        if let failure = summary.view.failure { throw failure }
        guard hasEnded else { throw CaptureFailure.stuck(source: summary.source) }
        if let failure = summary.undelivered { throw failure }
    }

    /// What one of the tasks came to.
    private enum Step: Sendable {
        case delivered(Result<Void, any Error>)
        case timeIsUp
        case other
    }

    /// Runs until everything is delivered, cannot be, or may take no longer.
    private func follow() async -> Result<Void, any Error> {
        await withTaskGroup(of: Step.self) { group in
            group.addTask { .delivered(await deliver()) }
            group.addTask { await stopSensorOnShutdown() }
            group.addTask { await waitForFlush() }
            group.addTask { await summarise() }
            defer { group.cancelAll() }
            for await step in group {
                switch step {
                case .delivered(let result): return result
                case .timeIsUp: return .success(())
                case .other: continue
                }
            }
            return .success(())
        }
    }

    private func deliver() async -> Result<Void, any Error> {
        let courier = Courier(
            handover: sensor.handover, delivery: delivery, tally: tally,
            patience: sensor.settings.isLive ? nil : flushTime, logger: voice.logger)
        do {
            return .success(try await courier.run())
        } catch is CancellationError {
            // What is left is counted.
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func stopSensorOnShutdown() async -> Step {
        try? await gracefulShutdown()
        sensor.stop()
        return .other
    }

    /// Delivering what is left has its time once a live capture has ended, and the rest of a file once it is to stop.
    private func waitForFlush() async -> Step {
        if sensor.settings.isLive { await sensor.waitForEndOfReading() } else { try? await gracefulShutdown() }
        try? await Task.sleep(for: flushTime)
        return .timeIsUp
    }

    /// Waits until the sensor's thread has told everything, but not for ever: one that reads a pipe may be waiting for
    /// what does not come.
    private func hasSensorEnded() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await sensor.waitForEnd()
                return !Task.isCancelled
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(2))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func summarise() async -> Step {
        guard let seconds = sensor.settings.summarySeconds, sensor.settings.isLive else { return .other }
        var earlier: CaptureSummary?
        while true {
            do { try await Task.sleep(for: .seconds(seconds)) } catch { return .other }
            let summary = summary
            voice.say(summary.line(since: earlier, seconds: Double(seconds), at: Clock.now()))
            earlier = summary
        }
    }

    private var summary: CaptureSummary {
        let queue = sensor.handover.counts
        return CaptureSummary(
            source: sensor.settings.sourceName, destination: delivery.destination, view: sensor.view,
            delivery: tally.counts, waiting: queue.waiting, lost: queue.lost)
    }
}

/// Says what a capture does: lines on standard error, or messages of a log that programs read.
struct CaptureVoice: Sendable {
    let format: LogFormat
    let logger: Logger

    func say(_ line: String) {
        switch format {
        case .text: Terminal.tell("\(line)\n")
        case .json, .auto: logger.info("\(line)")
        }
    }

    /// The totals: of a live capture as the last of its summaries, of a file as the result of the program.
    func conclude(_ summary: CaptureSummary, isLive: Bool) {
        for breakage in summary.view.breakages { logger.warning("\(breakage)") }
        if summary.view.isCutShort { logger.warning("stopped before the end of \(summary.source)") }
        if isLive { return summary.totals.forEach(say) }
        StandardOutput.tell(summary.totals.joined(separator: "\n") + "\n")
    }
}
