import RTPMeter

/// Where signalled calls expect their media, so that a new stream finds its call.
struct MediaDirectory {
    /// An end's announcement of one `m=` line.
    struct Announcement {
        var call: Int
        /// The end that announced it, and receives there.
        var end: Int
        var terms: MediaTerms
    }

    /// A stream's place in a call.
    struct Match {
        var call: Int
        /// The end that receives the stream.
        var end: Int
        /// What the receiver announced, else the sender.
        var terms: MediaTerms?
    }

    private var byEndpoint: [Endpoint: Announcement] = [:]
    /// What each call announced, to be forgotten with it.
    private var endpoints: [Int: Set<Endpoint>] = [:]
    /// The calls an address is part of, by SDP or as sender of SIP.
    private var byAddress: [IPAddress: Set<Int>] = [:]
    private var addresses: [Int: Set<IPAddress>] = [:]

    /// Notes what an end announced; a newer call takes over an endpoint from an older one.
    /// - Returns: the endpoints at which the end may now receive, and the calls that they were announced for before.
    mutating func announce(
        _ description: SessionDescription, by end: Int, of call: Int, from signalling: IPAddress
    ) -> (endpoints: [Endpoint], displaced: Set<Int>) {
        note(signalling, call)
        var announced: [Endpoint] = []
        var displaced: Set<Int> = []
        for media in description.media where media.isRTP {
            let announcement = Announcement(call: call, end: end, terms: MediaTerms(media))
            var places = media.candidates
            if let endpoint = media.endpoint {
                note(endpoint.address, call)
                places.append(endpoint)
                // Behind a NAT the description has an inner address; the packets have that of the signalling.
                places.append(Endpoint(address: signalling, port: endpoint.port))
            }
            for place in places {
                if let before = byEndpoint.updateValue(announcement, forKey: place), before.call != call {
                    displaced.insert(before.call)
                }
                endpoints[call, default: []].insert(place)
                announced.append(place)
            }
        }
        return (announced, displaced)
    }

    private mutating func note(_ address: IPAddress, _ call: Int) {
        byAddress[address, default: []].insert(call)
        addresses[call, default: []].insert(address)
    }

    /// Forgets a call.
    mutating func forget(_ call: Int) {
        for endpoint in endpoints.removeValue(forKey: call) ?? [] where byEndpoint[endpoint]?.call == call {
            byEndpoint[endpoint] = nil
        }
        for address in addresses.removeValue(forKey: call) ?? [] {
            byAddress[address]?.remove(call)
            if byAddress[address]?.isEmpty == true { byAddress[address] = nil }
        }
    }

    /// The call of a flow by what was announced: where it goes, else where it comes from (symmetric RTP, RFC 4961).
    func match(_ flow: Flow) -> Match? {
        if let receiver = byEndpoint[flow.destination] {
            return Match(call: receiver.call, end: receiver.end, terms: receiver.terms)
        }
        if let sender = byEndpoint[flow.source] {
            return Match(call: sender.call, end: 1 - sender.end, terms: sender.terms)
        }
        return nil
    }

    /// What a call announced that the flow's addresses and payload type could be: the addresses fit, a port does not.
    func claim(of call: Int, to flow: Flow, payloadType: UInt8) -> Match? {
        for endpoint in (endpoints[call] ?? []).sorted(by: { $0.description < $1.description }) {
            guard let announced = byEndpoint[endpoint], announced.call == call, announced.terms[payloadType] != nil
            else { continue }
            if endpoint.address == flow.destination.address {
                return Match(call: call, end: announced.end, terms: announced.terms)
            }
            if endpoint.address == flow.source.address {
                return Match(call: call, end: 1 - announced.end, terms: announced.terms)
            }
        }
        return nil
    }

    /// The calls that share an address with a flow; for the last resort.
    func calls(near flow: Flow) -> Set<Int> {
        (byAddress[flow.source.address] ?? []).union(byAddress[flow.destination.address] ?? [])
    }
}
