import CallModel

extension CallEndCause {
    /// Why a call ended, in a few words.
    var words: String {
        switch self {
        case .localHangup: "this end hung up"
        case .remoteHangup: "the far end hung up"
        case .hangup: "hung up"
        case .cancelled: "the caller gave up"
        case .declined: "the callee declined"
        case .noAnswer: "nobody answered"
        case .answeredElsewhere: "answered elsewhere"
        case .busy: "the callee was busy"
        case .notFound: "there is no such callee"
        case .unavailable: "the callee could not be reached"
        case .capacity: "a media server was full"
        case .mediaError: "microphone or camera could not be used"
        case .doNotDisturb: "the callee's device let no calls through"
        case .error: "an error"
        case .lost: "reports stopped, and nothing ended the call"
        case .unknown: "no reason given"
        }
    }
}

extension CallSummary {
    /// Why it ended and what was said of it, in words; `nil` where neither is known.
    func ending(isLive: Bool) -> String? {
        let said = endReason?.printable
        guard let cause = endCause(isLive: isLive) else { return said }
        return cause.words + (said.map { " (\($0))" } ?? "")
    }
}

extension CallLane.Kind {
    /// What held, in a few words.
    var words: String {
        switch self {
        case .held: "on hold"
        case .heldLocally: "held by this end"
        case .heldRemotely: "held by the far end"
        case .heldByBoth: "held by both ends"
        case .interrupted: "sound taken by something else"
        case .background: "app in the background"
        case .microphoneMuted: "microphone off"
        case .cameraOff: "camera off"
        case .farEndMuted: "far end muted"
        case .farEndVideoOff: "far end's camera off"
        case .networkUnreachable: "no network"
        case .signallingLost: "connection to the server lost"
        case .audioDevice: "audio device"
        }
    }

    /// What stands for it in a lane below the score.
    var letter: Character {
        switch self {
        case .held, .heldLocally, .heldRemotely, .heldByBoth: "h"
        case .interrupted: "i"
        case .background: "b"
        case .microphoneMuted: "m"
        case .cameraOff: "c"
        case .farEndMuted: "M"
        case .farEndVideoOff: "C"
        case .networkUnreachable: "n"
        case .signallingLost: "s"
        case .audioDevice: "a"
        }
    }
}

extension CallPhase {
    /// The state in words.
    var words: String {
        switch self {
        case .setup: "setup"
        case .alerting: "alerting"
        case .ringing: "ringing"
        case .earlyMedia: "early media"
        case .connecting: "connecting"
        case .active: "active"
        case .held: "held"
        case .interrupted: "interrupted"
        case .ended: "ended"
        }
    }
}

extension CallProblem.Kind {
    /// What went wrong, in a few words.
    var words: String {
        switch self {
        case .noMicrophone: "no microphone"
        case .noCamera: "no camera"
        case .noScreen: "no screen to share"
        case .noDevice: "neither microphone nor camera"
        case .noPermission: "no leave to record"
        case .noSession: "no session with the server"
        case .unknownMessage: "a message from the server that is not known"
        case .codecMissing: "a codec is missing"
        case .notRegistered: "not registered"
        case .error: "error"
        case .operationFailed: "did not work"
        }
    }
}
