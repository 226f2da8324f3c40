import CallModel
import Dispatch
import Foundation
import PacketCapture
import Synchronization

/// A thread that reads packets and tells what the probe makes of them.
///
/// A thread of its own, because reading packets blocks and must not be kept waiting by anything else the program does.
/// A class, for the thread and the tasks that watch it share it.
final class Sensor: Sendable {
    let settings: SensorSettings
    /// Where its facts come out.
    let handover: Handover

    private let state = Mutex(State())
    /// Says that the source is open, or cannot be.
    private let opened = DispatchSemaphore(value: 0)
    private let reading: AsyncStream<Void>
    private let readingContinuation: AsyncStream<Void>.Continuation
    private let ended: AsyncStream<Void>
    private let endedContinuation: AsyncStream<Void>.Continuation

    /// What is known of it from outside.
    struct View: Sendable {
        var figures = ProbeFigures()
        /// Of a live capture, once asked for.
        var statistics: CaptureStatistics?
        /// Why the source could not be opened, or why a live capture ended without being told to.
        var failure: CaptureError?
        /// Where and why files could not be read to their end.
        var breakages: [CaptureError] = []
        /// Whether the program was told to stop before the end of a file.
        var isCutShort = false
    }

    private struct State {
        var view = View()
        var isStopping = false
    }

    private init(_ settings: SensorSettings, limits: Handover.Limits) {
        self.settings = settings
        handover = Handover(limits: limits)
        (reading, readingContinuation) = AsyncStream.makeStream()
        (ended, endedContinuation) = AsyncStream.makeStream()
    }

    /// Opens the source and begins to read.
    /// - Throws: `CaptureError` when the source cannot be opened.
    static func open(_ settings: SensorSettings) throws(CaptureError) -> Sensor {
        var limits = Handover.Limits()
        // A file is read as fast as its facts are stored, and need not run far ahead.
        if !settings.isLive { limits.facts = 4 * limits.batchFacts }
        let sensor = Sensor(settings, limits: limits)
        let thread = Thread { sensor.work() }
        thread.name = "packets"
        thread.start()
        sensor.opened.wait()
        if let failure = sensor.view.failure { throw failure }
        return sensor
    }

    /// Asks the thread to finish: the probe ends its calls, and ``waitForEnd()`` returns soon.
    func stop() {
        state.withLock { $0.isStopping = true }
    }

    /// Waits until no more packets are read; one task may wait.
    func waitForEndOfReading() async {
        for await _ in reading {}
    }

    /// Waits until the thread has told everything; one task may wait.
    func waitForEnd() async {
        for await _ in ended {}
    }

    /// What it has seen up to now, or nearly.
    var view: View {
        state.withLock { $0.view }
    }
}

// MARK: - The thread's side

/// What the thread does after it has opened its source; never leaves the thread.
protocol PacketLoop: ~Copyable {
    /// Reads until there is no more, or the sensor is to stop.
    mutating func read()
    /// Ends all calls where they stand.
    /// - Returns: What is still to be told of them.
    mutating func finish() -> [CapturedFact]
}

extension Sensor {
    private func work() {
        switch settings.source {
        case .interface(let name, let options):
            follow { () throws(CaptureError) in try LiveLoop(interface: name, options: options, sensor: self) }
        case .files(let paths, let filter):
            follow { () throws(CaptureError) in try FileLoop(paths: paths, filter: filter, sensor: self) }
        }
    }

    private func follow<Loop: PacketLoop & ~Copyable>(
        _ open: () throws(CaptureError) -> Loop
    ) {
        var loop: Loop
        do throws(CaptureError) {
            loop = try open()
        } catch {
            publish { $0.failure = error }
            opened.signal()
            return
        }
        opened.signal()
        loop.read()
        readingContinuation.finish()
        // No packet waits any more, so this can wait for room.
        _ = handover.put(loop.finish())
        handover.close()
        endedContinuation.finish()
    }

    var isStopping: Bool {
        state.withLock { $0.isStopping }
    }

    /// Changes what is known from outside.
    func publish(_ change: (inout View) -> Void) {
        state.withLock { change(&$0.view) }
    }

    /// What the probe has told since this was last asked, stamped as received now.
    static func facts(of probe: inout WireProbe) -> [CapturedFact] {
        let output = probe.takeOutput()
        guard !output.isEmpty else { return [] }
        let now = Clock.now()
        return output.compactMap { item in
            guard case .fact(let call, let observer, var fact) = item else { return nil }
            fact.receivedAt = now
            return CapturedFact(call: call, observer: observer, fact: fact)
        }
    }
}
