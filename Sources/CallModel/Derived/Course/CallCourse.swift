/// What happened in a call besides its media, by the client's events; one form for all vocabularies.
public struct CallCourse: Hashable, Sendable, Codable {
    /// The states of the call, in order of time, each from when it began.
    public var phases: [PhaseChange] = []
    /// Whether the client tells the states of the call, and so would tell its end.
    public var tellsStates = false
    /// Why it ended; `nil` while nothing ended it.
    public var endCause: CallEndCause?
    /// Spans of holds, interruptions, muting and the like, in order of time.
    public var lanes: [CallLane] = []
    /// Device or network changes without a gap: unreachable and reachable again within a second.
    public var handovers = 0
    /// Most often that the connection to the server was tried again in a row, as the client counted.
    public var mostRetries: Int?
    /// Times the connection to the server was given up.
    public var lostConnections = 0
    /// What went wrong, in order of time.
    public var problems: [CallProblem] = []
    /// What the app asked its SDK to do, in order of name.
    public var operations: [OperationCount] = []
    /// Tones sent (RFC 4733); their digits are never kept.
    public var tonesSent = 0
    /// How the call was set up to be; `nil` where the client did not say.
    public var configuration: CallConfiguration?
    /// The quality the client computed itself; `nil` where it told none.
    public var reportedQuality: ReportedQuality?
    /// SSRCs that the client named, sorted.
    public var namedSources: [UInt32] = []
    /// How long the call lasted by the client's own account, in ms; `nil` where it told none, or none that fits.
    public var reportedDurationMilliseconds: Int64?
    /// The length as the client told it, when it is near what was measured neither in seconds nor in ms; else `nil`.
    public var unfittingDuration: Double?

    /// Nothing happened.
    public init() {}
}

/// A state of a call, from when it began.
public struct PhaseChange: Hashable, Sendable, Codable {
    /// When it began.
    public var time: Timestamp
    /// Which state.
    public var phase: CallPhase

    public init(time: Timestamp, phase: CallPhase) {
        self.time = time
        self.phase = phase
    }
}

/// The states of a call, one set for all clients.
public enum CallPhase: String, Hashable, Sendable, Codable, CaseIterable {
    /// Being placed.
    case setup
    /// Told to the callee (seen from the callee).
    case alerting
    /// The callee is alerted (seen from the caller).
    case ringing
    /// Sound before the answer.
    case earlyMedia
    /// Answered; no media yet, as far as is known.
    case connecting
    /// Answered, and media flow.
    case active
    /// On hold.
    case held
    /// Something else has the sound.
    case interrupted
    /// Over.
    case ended
}

/// Something that went wrong.
public struct CallProblem: Hashable, Sendable, Codable {
    /// What.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// No microphone to send from; the call may go on.
        case noMicrophone
        /// No camera to send from; the call may go on.
        case noCamera
        /// No screen to share.
        case noScreen
        /// Neither microphone nor camera could be had.
        case noDevice
        /// The user or the system does not let the app record.
        case noPermission
        /// No session with the server.
        case noSession
        /// The server sent what the client does not understand.
        case unknownMessage
        /// A codec that was wanted is not there.
        case codecMissing
        /// The client is not registered with its server.
        case notRegistered
        /// An error the client named.
        case error
        /// Something the app asked for did not work.
        case operationFailed
    }

    /// When the client told of it.
    public var time: Timestamp
    /// What.
    public var kind: Kind
    /// The client's name for it, with its code and reason where it gave them.
    public var name: String

    public init(time: Timestamp, kind: Kind, name: String) {
        self.time = time
        self.kind = kind
        self.name = name
    }
}

/// How often the app asked for one thing, and what came of it.
public struct OperationCount: Hashable, Sendable, Codable {
    /// What was asked for, as the SDK calls it, without the word that says how it went: `holdCall`.
    public var name: String
    /// Times it worked.
    public var succeeded = 0
    /// Times it did not.
    public var failed = 0
    /// Times it was asked for without word of how it went.
    public var asked = 0

    public init(name: String) {
        self.name = name
    }
}

extension KeyedDecodingContainer {
    /// Summaries of the first version of the rules have no course.
    func decode(_ type: CallCourse.Type, forKey key: Key) throws -> CallCourse {
        try decodeIfPresent(type, forKey: key) ?? CallCourse()
    }
}
