/// Names of members by number: hundreds are looked up for every report.
public struct NameIndex: Sendable {
    /// The names, in the order of their numbers.
    public let names: [String]
    /// Numbers, each at the place of its name or at the next one that is free.
    private let places: [Int?]

    /// - Parameter names: at most some hundred, each once; of one that stands twice the first number counts.
    public init(_ names: [String]) {
        var places = [Int?](repeating: nil, count: max(1_024, names.count * 4))
        for (number, name) in names.enumerated() {
            var place = Self.place(of: name, among: places.count)
            while places[place] != nil { place = (place + 1) % places.count }
            places[place] = number
        }
        self.names = names
        self.places = places
    }

    /// The number of a name, byte for byte; `nil` when it is none of these.
    public func number(of name: String) -> Int? {
        var place = Self.place(of: name, among: places.count)
        while let number = places[place] {
            if names[number].utf8.count == name.utf8.count, names[number] == name { return number }
            place = (place + 1) % places.count
        }
        return nil
    }

    /// By some of its bytes: to hash them whole takes longer than what is done with the name.
    private static func place(of name: String, among count: Int) -> Int {
        let bytes = name.utf8Span.span
        guard let last = bytes.indices.last else { return 0 }
        let some = Int(bytes[0]) &* 7 &+ Int(bytes[bytes.count / 2]) &* 131 &+ Int(bytes[last]) &* 31
        return (some &+ bytes.count &* 521) % count
    }
}
