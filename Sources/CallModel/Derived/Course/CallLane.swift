/// A span in which a condition held that is no fault of the network, or says what one looked like to the app.
public struct CallLane: Hashable, Sendable, Codable {
    /// What held.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// On hold, it is not said by whom.
        case held
        /// This end held the call.
        case heldLocally
        /// The far end held the call.
        case heldRemotely
        /// Each end held the other.
        case heldByBoth
        /// Something else had the sound: a telephone call, another app.
        case interrupted
        /// The app was in the background.
        case background
        /// This end's microphone was off.
        case microphoneMuted
        /// This end's camera was off.
        case cameraOff
        /// The far end sent no sound, by intention.
        case farEndMuted
        /// The far end sent no picture, by intention.
        case farEndVideoOff
        /// The device had no network, by its system.
        case networkUnreachable
        /// The connection to the server was being tried again, or was lost.
        case signallingLost
        /// Where sound went to and came from; ``CallLane/value`` names it.
        case audioDevice
    }

    /// What held.
    public var kind: Kind
    /// When. Open where the facts do not say when it ended.
    public var span: TimeSpan
    /// The device of ``Kind/audioDevice``; `nil` for all others.
    public var value: String?

    /// A record keeps no more, of all kinds together; it is more than a report can show.
    public static let mostKept = 400

    public init(kind: Kind, span: TimeSpan, value: String? = nil) {
        self.kind = kind
        self.span = span
        self.value = value
    }
}

extension CallLane.Kind {
    /// Whether nobody could expect media of this kind to arrive meanwhile, so that the time is not scored.
    public func isExcused(for kind: MediaKind) -> Bool {
        switch self {
        case .held, .heldLocally, .heldRemotely, .heldByBoth, .interrupted: true
        case .farEndMuted: kind == .audio
        case .background, .farEndVideoOff: kind == .video
        case .microphoneMuted, .cameraOff, .networkUnreachable, .signallingLost, .audioDevice: false
        }
    }

    /// Whether this is a hold.
    public var isHold: Bool {
        [.held, .heldLocally, .heldRemotely, .heldByBoth].contains(self)
    }
}
