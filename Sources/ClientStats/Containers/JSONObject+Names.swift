import CallModel

extension JSONObject {
    /// The first of several names for the same thing under which there is something: `null` is as good as absent.
    func firstMember(of names: [String]) -> Element? {
        for name in names {
            guard let value = self[name] else { continue }
            if case .null = value { continue }
            return (name, value)
        }
        return nil
    }
}
