/// Events of the client's way to its server: retries, reachability, registration, and the quality it computes itself.
enum NetworkVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if let meaning = simple[name] { return [meaning] }
        switch name {
        case "onconnectionretry", "willretryconnectionnumber", "ucwillretryconnectionnumber":
            return [.connectionRetry(attempt: event.detail("attempt")?.wholeNumber.flatMap { Int(exactly: $0) })]
        case "setnetworkreachable", "linphonecoresetnetworkreachable":
            return [
                (event.detail("value") ?? event.detail("reachable"))?.truth.map { .network(isReachable: $0) } ?? .noted
            ]
        default:
            return event.foldedAction == "quality" || qualities.contains(name) ? [.quality(quality(of: event))] : nil
        }
    }

    private static let simple: [FoldedName: EventMeaning] = [
        "onconnectivitylost": .connectionLost, "ucdidloseconnection": .connectionLost,
        "onconnectionlost": .connectionLost, "onconnectionreestablished": .connectionRestored,
        "ucdidreestablishconnection": .connectionRestored, "onnetworkunavailable": .network(isReachable: false),
        "linphonecorerefreshregisters": .registering, "linphoneregistrationprogress": .registering,
        "linphoneregistrationok": .registered,
    ]

    /// One callback with five spellings.
    private static let qualities: Set<FoldedName> = [
        "onconnectionqualitychanged", "oncallqualitychanged", "didreportinboundqualitychange",
        "oninboundqualitychanged", "oninboundqualitychange",
    ]

    /// liblinphone rates from 0 to 5, and says -1 where it has no rating.
    private static func quality(of event: CallEvent) -> Double? {
        guard let value = event.members["value"]?.number ?? event.detail("quality")?.number, value >= 0 else {
            return nil
        }
        let isRating = event.members["source"]?.text?.hasPrefix("liblinphone") == true
        return min(100, isRating ? 20 * value : value)
    }
}
