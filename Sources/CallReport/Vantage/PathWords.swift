import CallModel

extension StreamPath {
    /// Each finding as a sentence.
    var sentences: [String] { findings.map(sentence) }

    private func sentence(_ finding: PathFinding) -> String {
        switch finding {
        case .lost(let percent, let from, let to):
            "\(Figures.percent(percent)) of the packets were lost \(between(from, to))"
        case .unrecorded(let percent, let at):
            "\(Figures.percent(percent)) of the packets are missing at \(points[at].words) and came to the receiver, by its "
                + "RTCP: the capture may have missed them"
        case .cutOff(let seconds, let from, let to):
            "for \(Words.duration(seconds: seconds)) nothing passed \(between(from, to)), though it was sent"
        case .neverArrived(let from, let to):
            "nothing of it ever passed \(between(from, to)), though it was sent"
        case .forwardedInPart(let percent, let from, let to):
            "forwarded in part: \(Figures.percent(percent)) passed \(between(from, to)) and no number is missing; "
                + "something there chooses what it passes on, which is no loss"
        case .jitter(let milliseconds, let from, let to):
            "jitter arose \(between(from, to)): \(Figures.number(milliseconds, "ms")) more"
        case .late(let percent, _):
            "\(Figures.percent(percent)) came too late for the receiver's buffer"
        case .discarded(let percent, _):
            "\(Figures.percent(percent)) were thrown away in the receiver, with pictures that it dropped"
        case .concealedWithoutLoss(let percent, _):
            "\(Figures.percent(percent)) of the sound was made up in the receiver beyond what was lost or late"
        }
    }

    /// Where two points lie, in words.
    private func between(_ from: Int?, _ to: Int) -> String {
        let end = points[to]
        let start = from.map { points[$0] }
        guard observers > 1 || end.place == .probe || start?.place == .probe else {
            return isInbound ? "on the way from the far end to here" : "on the way to the far end"
        }
        return "between \(start?.words ?? "the sender") and \(end.words)"
    }
}

extension PathPoint {
    /// What stands there, in a word or two.
    var words: String {
        switch place {
        case .sender: name?.printable ?? "the sender"
        case .probe: name?.printable ?? "a probe"
        case .receiver: name?.printable ?? "the receiver"
        }
    }

    /// The row's label in a table.
    var label: String {
        switch place {
        case .sender: "sent by \(name?.printable ?? "the sender (RTCP)")"
        case .probe: "seen at \(name?.printable ?? "a probe")"
        case .receiver: "received by \(name?.printable ?? "the far end (RTCP)")"
        }
    }
}
