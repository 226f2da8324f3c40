extension SessionDescription {
    /// A place at which media is expected.
    struct ExpectedPlace: Hashable, Sendable {
        var endpoint: Endpoint
        /// The `m=` lines that use it, those that name it first.
        var lines: [Int]
    }

    /// Where RTP is expected, each place once, as the lines name them: those of an `m=` line after its ICE candidates.
    ///
    /// The lines of a bundle use each other's places
    /// ([RFC 9143 §9](https://www.rfc-editor.org/rfc/rfc9143#section-9)).
    var expectedPlaces: [ExpectedPlace] {
        let carried = carriedLines
        var places: [ExpectedPlace] = []
        var numbers: [Endpoint: Int] = [:]
        for line in carried {
            for endpoint in media[line.index].places {
                let number = numbers[endpoint] ?? places.count
                numbers[endpoint] = number
                if number == places.count { places.append(ExpectedPlace(endpoint: endpoint, lines: [])) }
                if places[number].lines.last != line.index { places[number].lines.append(line.index) }
            }
        }
        for number in places.indices {
            let named = places[number].lines
            let bundles = Set(carried.filter { named.contains($0.index) }.compactMap(\.bundle))
            places[number].lines += carried.filter { $0.isIn(bundles) && !named.contains($0.index) }.map(\.index)
        }
        return places
    }

    /// An `m=` line of RTP that was not refused.
    private struct CarriedLine {
        var index: Int
        /// The first bundle that it is part of.
        var bundle: Int?

        func isIn(_ bundles: Set<Int>) -> Bool { bundle.map(bundles.contains) ?? false }
    }

    /// The `m=` lines of RTP that were not refused. One in a bundle may have port 0: who refuses it leaves it out of
    /// the bundle ([RFC 9143 §7.3.3](https://www.rfc-editor.org/rfc/rfc9143#section-7.3.3)).
    private var carriedLines: [CarriedLine] {
        var bundleOf: [String: Int] = [:]
        for (number, names) in bundles.enumerated() {
            for name in names where bundleOf[name] == nil { bundleOf[name] = number }
        }
        return media.indices.compactMap { index in
            let bundle = media[index].identifier.flatMap { bundleOf[$0] }
            let isCarried = media[index].isRTP || bundle != nil && media[index].transport.hasWord("RTP/")
            return isCarried ? CarriedLine(index: index, bundle: bundle) : nil
        }
    }
}

extension SessionDescription.Media {
    /// Whether RTP is expected at its port, of an address that it does not give: `c=` has a name, or 0.0.0.0 for one that is not
    /// known yet ([RFC 3725 §7](https://www.rfc-editor.org/rfc/rfc3725#section-7)). Port 9 stands for none, either
    /// ([RFC 9429 §5.2.1](https://www.rfc-editor.org/rfc/rfc9429#section-5.2.1)).
    var isWithoutAddress: Bool {
        isRTP && port != 0 && port != 9 && candidates.isEmpty && (address?.isUnspecified ?? true)
    }

    /// Where RTP is expected at a host that has only a name; its address stands as 0.0.0.0.
    var namedPlace: Endpoint? {
        isWithoutAddress && address == nil ? Endpoint(address: IPAddress(v4: 0), port: port) : nil
    }

    /// Its candidates, and where it is expected by `c=` and `m=`.
    fileprivate var places: [Endpoint] { candidates + [endpoint].compactMap(\.self) }
}
