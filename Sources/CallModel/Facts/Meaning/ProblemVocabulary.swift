/// Events that say that something is wrong: devices, permissions, sessions, codecs, errors with a name.
enum ProblemVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if isDoNotDisturb(event) || name == "donotdisturb" { return [.failed(.doNotDisturb)] }
        if let meanings = simple[name] { return meanings }
        return event.foldedAction == "error" ? sendBird(event, name) ?? [.problem(.error)] : nil
    }

    private static let simple: [FoldedName: [EventMeaning]] = [
        "onoutboundaudiofailure": [.problem(.noMicrophone)], "onoutboundvideofailure": [.problem(.noCamera)],
        "onscreenshareerror": [.problem(.noScreen)],
        "getusermediaerror": [.problem(.noDevice), .ended(.mediaError)],
        "ongetusermediaerror": [.problem(.noDevice), .ended(.mediaError)],
        "didreceivecallrecordingpermissionfailure": [.problem(.noPermission), .ended(.mediaError)],
        "errorvalidation": [.problem(.error)],
        "errorcameraaccess": [.problem(.noCamera)], "oninitialisedfailed": [.problem(.noSession)],
        "onsessionnotstarted": [.problem(.noSession)],
        "ucdidfailtostartsession": [.problem(.noSession)], "onunknownwebsocketmessage": [.problem(.unknownMessage)],
        "codecmissing": [.problem(.codecMissing)], "linphoneregistrationfailed": [.problem(.notRegistered)],
    ]

    /// What the system says when its user wants no calls (CallKit).
    private static func isDoNotDisturb(_ event: CallEvent) -> Bool {
        guard let code = event.members["code"]?.text else { return false }
        let domain = "com.apple.CallKit.error.incomingcall"
        return code.hasPrefix(domain) && code.dropFirst(domain.count).filter(\.isNumber) == "3"
    }

    /// SendBird's errors by name or number.
    private static func sendBird(_ event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        let byCode = event.members["code"]?.wholeNumber.flatMap { SendBirdError(rawValue: $0) }
        guard let error = SendBirdError(name: name.text) ?? byCode else { return nil }
        switch error {
        case .alreadyCallGoingOn: return [.problem(.error), .failed(.busy)]
        case .sendBirdConnectionRequired: return [.problem(.error), .failed(.unavailable)]
        default: return [.problem(.error)]
        }
    }
}

/// The errors of the SendBird SDK, by their codes.
enum SendBirdError: Int64, CaseIterable {
    case unknown = 820_000
    case sendBirdConnectionRequired = 820_100
    case sendBirdRequired = 820_130
    case invalidAction = 820_200
    case acceptingFail = 820_300
    case invalidParameter = 820_400
    case unsuitableChannel = 820_401
    case alreadyCameraSwitching = 820_510
    case alreadyCallGoingOn = 900_600

    /// By `SBVCErrorAlreadyCallGoingOn`, folded.
    init?(name: String) {
        guard let error = Self.allCases.first(where: { name == "sbvcerror\($0)".lowercased() }) else { return nil }
        self = error
    }
}
