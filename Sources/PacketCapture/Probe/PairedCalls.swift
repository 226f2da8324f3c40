import RTPMeter

/// Calls by the two addresses between which they run.
struct PairedCalls {
    private var places: [AddressPair: [Int]] = [:]

    /// Whether there are none.
    var isEmpty: Bool { places.isEmpty }

    /// The calls between two addresses, in the order in which they were added.
    subscript(pair: AddressPair) -> [Int] { places[pair] ?? [] }

    /// Takes in the latest call between two addresses.
    mutating func add(_ place: Int, to pair: AddressPair) {
        places[pair, default: []].append(place)
    }

    /// Lets go of a call.
    mutating func remove(_ place: Int, from pair: AddressPair) {
        places[pair]?.removeAll { $0 == place }
        if places[pair]?.isEmpty == true { places[pair] = nil }
    }
}

/// Calls by the places from which and to which their media have gone, kept from the first time that one is looked for: where
/// nobody signals, nobody looks.
struct PlacedCalls {
    /// Whether they are kept.
    private(set) var isKept = false
    private var calls: [Endpoint: Set<Int>] = [:]
    private var endpoints: [Int: Set<Endpoint>] = [:]

    /// Whether there are none.
    var isEmpty: Bool { calls.isEmpty && endpoints.isEmpty }

    /// The calls of which media have gone from or to one of some places.
    func calls(at endpoints: some Sequence<Endpoint>) -> Set<Int> {
        endpoints.reduce(into: []) { $0.formUnion(calls[$1] ?? []) }
    }

    /// Begins to keep them.
    mutating func keep() { isKept = true }

    /// Notes that a call has media on a flow, if they are kept.
    mutating func add(_ call: Int, on flow: Flow) {
        guard isKept else { return }
        for endpoint in [flow.source, flow.destination] {
            calls[endpoint, default: []].insert(call)
            endpoints[call, default: []].insert(endpoint)
        }
    }

    /// Lets go of a call.
    mutating func remove(_ call: Int) {
        for endpoint in endpoints.removeValue(forKey: call) ?? [] {
            calls[endpoint]?.remove(call)
            if calls[endpoint]?.isEmpty == true { calls[endpoint] = nil }
        }
    }
}
