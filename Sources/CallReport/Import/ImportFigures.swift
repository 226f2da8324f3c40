public import CallModel

/// What a file of statistics holds, as a whole.
public struct ImportFigures: Hashable, Sendable {
    /// The file's name, as the reader knows it.
    public var name: String
    /// What it was recognised as, such as `a webrtc-internals dump`.
    public var format: String
    /// Reports, copies included.
    public var reports = 0
    /// Events, those concluded from a dump included.
    public var events = 0
    /// Calls, each once however many ends of it reported.
    public var calls = 0
    /// Parts that could not be read, by reason.
    public var refusals: [RefusalReason: Int] = [:]
    /// The first of them, each with its place.
    public private(set) var firstRefusals: [String] = []
    /// What is odd about the file.
    public var notes: [String] = []

    /// So many refusals are told; more help no one.
    private static let mostTold = 10

    public init(name: String, format: String) {
        self.name = name
        self.format = format
    }

    /// Counts a part that could not be read.
    public mutating func refuse(_ reason: RefusalReason, _ message: String) {
        refusals[reason, default: 0] += 1
        if firstRefusals.count < Self.mostTold { firstRefusals.append(message) }
    }

    /// Counts a fact.
    public mutating func count(_ fact: Fact) {
        if case .event = fact { events += 1 } else { reports += 1 }
    }
}
