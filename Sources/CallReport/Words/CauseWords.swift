import CallModel

extension QualityCause {
    /// A name for a table.
    var name: String {
        switch self {
        case .loss: "packet loss"
        case .burst: "losses in runs"
        case .late: "late packets"
        case .stretch: "time-stretching"
        case .blackout: "blackout"
        case .delay: "path delay"
        case .jitterBuffer: "jitter buffer delay"
        case .freeze: "frozen video"
        case .frameRate: "low frame rate"
        case .resolution: "small picture"
        case .blockiness: "coarse picture"
        case .videoLoss: "video packet loss"
        }
    }

    /// What a listener or viewer had of it.
    var sentence: String {
        switch self {
        case .loss: "Packets did not arrive, and the sound in them was made up or repaired."
        case .burst: "Packets were lost in runs, so that longer pieces of sound had to be made up."
        case .late: "Packets arrived too late to be played, and the sound in them was made up."
        case .stretch: "Sound was sped up or slowed down, to follow uneven packets or after losses."
        case .blackout: "No sound arrived, and nothing shows that the far end meant it."
        case .delay: "The path took long enough to get in the way of talking."
        case .jitterBuffer: "The receiver held sound back to smooth out uneven arrival, which made it late."
        case .freeze: "The picture stood still."
        case .frameRate: "The picture moved less smoothly than it did at other times of the call."
        case .resolution: "The picture was smaller than it was at other times of the call."
        case .blockiness: "The picture was coarse."
        case .videoLoss: "Video packets were lost, and pictures lacked them or had to wait for them."
        }
    }
}
