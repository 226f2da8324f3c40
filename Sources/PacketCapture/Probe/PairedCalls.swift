import RTPMeter

/// Calls by the two addresses between which they run, and by each of them.
struct PairedCalls {
    private var places: [AddressPair: [Int]] = [:]
    private var pairs: [IPAddress: Set<AddressPair>] = [:]

    /// Whether there are none.
    var isEmpty: Bool { places.isEmpty && pairs.isEmpty }

    /// The calls between two addresses, in the order in which they were added.
    subscript(pair: AddressPair) -> [Int] { places[pair] ?? [] }

    /// The calls that run from or to one of some addresses.
    func calls(at addresses: Set<IPAddress>) -> Set<Int> {
        var found: Set<Int> = []
        for address in addresses {
            for pair in pairs[address] ?? [] { found.formUnion(self[pair]) }
        }
        return found
    }

    /// Takes in the latest call between two addresses.
    mutating func add(_ place: Int, to pair: AddressPair) {
        places[pair, default: []].append(place)
        for address in pair.addresses { pairs[address, default: []].insert(pair) }
    }

    /// Lets go of a call.
    mutating func remove(_ place: Int, from pair: AddressPair) {
        places[pair]?.removeAll { $0 == place }
        guard places[pair]?.isEmpty == true else { return }
        places[pair] = nil
        for address in pair.addresses {
            pairs[address]?.remove(pair)
            if pairs[address]?.isEmpty == true { pairs[address] = nil }
        }
    }
}
