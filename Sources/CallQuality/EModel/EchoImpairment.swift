import Foundation

/// What echo costs, in the shapes that ITU-T G.107 §7.4 and G.107.1 share.
enum EchoImpairment {
    /// TERV without the terms of sidetone and bandwidth, in dB.
    static func loudness(talkerEchoLoudness: Double, delayMilliseconds delay: Double) -> Double {
        talkerEchoLoudness - 40 * log10((1 + delay / 10) / (1 + delay / 150)) + 6 * exp(-0.3 * delay * delay)
    }

    /// Idte in points of R.
    static func talker(ratingWithoutEcho: Double, echoRating: Double, delayMilliseconds delay: Double) -> Double {
        let half = (ratingWithoutEcho - echoRating) / 2
        return (half + (half * half + 100).squareRoot() - 1) * (1 - exp(-delay))
    }

    /// Idle in points of R; WEPL in dB.
    static func listener(
        ratingWithoutEcho: Double, echoPathLoss: Double, roundTripMilliseconds roundTrip: Double
    ) -> Double {
        let echoRating = 10.5 * (echoPathLoss + 7) * pow(roundTrip + 1, -0.25)
        let half = (ratingWithoutEcho - echoRating) / 2
        return half + (half * half + 169).squareRoot()
    }
}
