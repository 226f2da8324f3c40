import CallModel

extension DeliveryReceipt {
    /// What a collector answered, but for what it refused.
    ///
    /// Fails when a count cannot be one of what was sent: no sidetone answers so, and sums of such counts may overflow.
    /// - Parameters:
    ///   - answer: members of the body.
    ///   - most: so many facts were sent, or fewer.
    init?(answer: JSONObject, most: Int) {
        guard let accepted = answer.count("accepted", most: most), let repeated = answer.count("repeated", most: most),
            let contradicted = answer.count("contradicted", most: most)
        else { return nil }
        self.init(accepted: accepted, repeated: repeated, contradicted: contradicted)
    }
}

extension JSONObject {
    /// A count, 0 where there is none; nil when it is below 0 or above `most`.
    fileprivate func count(_ name: String, most: Int) -> Int? {
        guard let number = self[name]?.wholeNumber else { return 0 }
        return (0...Int64(most)).contains(number) ? Int(number) : nil
    }
}
