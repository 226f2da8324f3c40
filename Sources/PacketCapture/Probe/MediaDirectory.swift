import CallModel
import RTPMeter

/// Where signalled calls expect their media, so that a new stream finds its call.
struct MediaDirectory {
    /// An end's announcement of the `m=` lines of one place.
    struct Announcement {
        var call: Int
        /// The end that announced it, and receives there.
        var end: Int
        /// The host that sent the description.
        var announcer: IPAddress
        /// Counts descriptions: a later one has a higher number.
        var number: Int
        var terms: MediaTerms
    }

    /// A stream's place in a call.
    struct Match {
        var call: Int
        /// The end that receives the stream.
        var end: Int
        /// What the receiver announced, else the sender.
        var terms: MediaTerms?

        init(receivedBy receiver: Announcement) {
            (call, end, terms) = (receiver.call, receiver.end, receiver.terms)
        }

        init(sentBy sender: Announcement) {
            (call, end, terms) = (sender.call, 1 - sender.end, sender.terms)
        }
    }

    /// So many places of one call are remembered, the latest ones: every change of its session may bring others.
    static let mostPlaces = 256
    /// So many addresses of one call are remembered.
    private static let mostAddresses = 64

    private var descriptions = 0
    /// By the places that descriptions name.
    private var announced: [Endpoint: Announcement] = [:]
    /// By the address of the signalling with the port of the description: behind a NAT that one has an inner address,
    /// and the packets have that of the signalling. A guess, which gives way to what any call announced.
    private var guessed: [Endpoint: Announcement] = [:]
    /// Where each call expects its media, the latest places last, to be forgotten with it.
    private var endpoints: [Int: [Endpoint]] = [:]
    /// The calls an address is part of, by SDP or as sender of SIP.
    private var byAddress: [IPAddress: Set<Int>] = [:]
    private var addresses: [Int: Set<IPAddress>] = [:]

    /// Notes what an end announced; a newer call takes over an endpoint from an older one.
    /// - Parameters:
    ///   - description: what it announced.
    ///   - end: the end.
    ///   - call: the call.
    ///   - signalling: the host that sent the description.
    ///   - kept: places of which the call that has them is to keep them.
    /// - Returns: the endpoints at which the end may now receive, whether any was not of the call before, and the calls that
    ///   they were announced for before.
    mutating func announce(
        _ description: SessionDescription, by end: Int, of call: Int, from signalling: IPAddress,
        leaving kept: Set<Endpoint> = []
    ) -> (endpoints: [Endpoint], areNew: Bool, displaced: Set<Int>) {
        note(signalling, call)
        descriptions += 1
        var terms: [[Int]: MediaTerms] = [:]
        var places: [Endpoint] = []
        var displaced: Set<Int> = []
        for place in description.expectedPlaces where !kept.contains(place.endpoint) {
            // Most places are those of the same lines, which then share what is known of them.
            let common = terms[place.lines] ?? MediaTerms(place.lines.map { description.media[$0] })
            terms[place.lines] = common
            let announcement = Announcement(
                call: call, end: end, announcer: signalling, number: descriptions, terms: common)
            displaced.formUnion(owners(of: place.endpoint))
            announced[place.endpoint] = announcement
            places.append(place.endpoint)
            guard place.lines.contains(where: { description.media[$0].endpoint == place.endpoint }) else { continue }
            note(place.endpoint.address, call)
            let guess = Endpoint(address: signalling, port: place.endpoint.port)
            guard guess != place.endpoint else { continue }
            displaced.formUnion(owners(of: guess))
            guessed[guess] = announcement
            places.append(guess)
        }
        displaced.remove(call)
        let areNew = !Set(places).isSubset(of: endpoints[call] ?? [])
        remember(places, of: call)
        return (places, areNew, displaced)
    }

    /// What was announced last of a place; `nil` where no call goes on that did.
    func announcement(of endpoint: Endpoint) -> Announcement? { announced[endpoint] }

    /// Whether an end has named a place after another, and not the other again: media move there.
    func hasMoved(from old: Endpoint, to new: Endpoint) -> Bool {
        guard let former = announced[old], let latter = announced[new] else { return false }
        return former.number < latter.number && former.call == latter.call && former.end == latter.end
            && former.announcer == latter.announcer
    }

    /// The hosts at which an end of a call expects its media. Behind a translator that is who sent the description, whose own
    /// address ([RFC 1918](https://www.rfc-editor.org/rfc/rfc1918)) is in it.
    func hosts(of call: Int, end: Int) -> Set<IPAddress> {
        var hosts: Set<IPAddress> = []
        for endpoint in endpoints[call] ?? [] {
            guard let known = announced[endpoint], known.call == call, known.end == end else { continue }
            hosts.insert(endpoint.address)
            if endpoint.address.isPrivate, !known.announcer.isPrivate { hosts.insert(known.announcer) }
        }
        return hosts
    }

    private func owners(of endpoint: Endpoint) -> [Int] {
        [announced[endpoint], guessed[endpoint]].compactMap { $0?.call }
    }

    private mutating func remember(_ places: [Endpoint], of call: Int) {
        var seen: Set<Endpoint> = []
        let latestFirst = ((endpoints[call] ?? []) + places).reversed().filter { seen.insert($0).inserted }
        for endpoint in latestFirst.dropFirst(Self.mostPlaces) { forget(endpoint, of: call) }
        endpoints[call] = latestFirst.prefix(Self.mostPlaces).reversed()
    }

    private mutating func note(_ address: IPAddress, _ call: Int) {
        guard addresses[call]?.count ?? 0 < Self.mostAddresses else { return }
        byAddress[address, default: []].insert(call)
        addresses[call, default: []].insert(address)
    }

    /// Forgets a call.
    mutating func forget(_ call: Int) {
        for endpoint in endpoints.removeValue(forKey: call) ?? [] { forget(endpoint, of: call) }
        for address in addresses.removeValue(forKey: call) ?? [] {
            byAddress[address]?.remove(call)
            if byAddress[address]?.isEmpty == true { byAddress[address] = nil }
        }
    }

    private mutating func forget(_ endpoint: Endpoint, of call: Int) {
        if announced[endpoint]?.call == call { announced[endpoint] = nil }
        if guessed[endpoint]?.call == call { guessed[endpoint] = nil }
    }

    /// The call of a flow by what was announced: where it goes, else where it comes from (symmetric RTP, RFC 4961);
    /// then by what is guessed.
    func match(_ flow: Flow) -> Match? {
        if let receiver = announced[flow.destination] { return Match(receivedBy: receiver) }
        let sender = announced[flow.source]
        // A guess about the receiver says more than its partner, if both are of one call.
        if let receiver = guessed[flow.destination], sender == nil || sender?.call == receiver.call {
            return Match(receivedBy: receiver)
        }
        return (sender ?? guessed[flow.source]).map { Match(sentBy: $0) }
    }

    /// Audio or video by what signalling says of the payload type, else of the source, else of all that is received
    /// there; `nil` when it says nothing.
    func kind(of identity: StreamIdentity, payloadType: UInt8) -> MediaKind? {
        guard let match = match(identity.flow), let terms = match.terms else { return nil }
        if let kind = terms.kind(of: payloadType) { return kind }
        if let sender = announced[identity.flow.source] ?? guessed[identity.flow.source], sender.call == match.call,
            let kind = sender.terms.kind(ofSource: identity.ssrc)
        {
            return kind
        }
        return terms.commonKind
    }

    /// What a call announced that the flow's addresses and payload type could be: the addresses fit, a port does not.
    func claim(of call: Int, to flow: Flow, payloadType: UInt8) -> Match? {
        for endpoint in (endpoints[call] ?? []).sorted(by: { $0.description < $1.description }) {
            let known = [announced[endpoint], guessed[endpoint]].compactMap(\.self).first { $0.call == call }
            guard let known, known.terms[payloadType] != nil else { continue }
            if endpoint.address == flow.destination.address { return Match(receivedBy: known) }
            if endpoint.address == flow.source.address { return Match(sentBy: known) }
        }
        return nil
    }

    /// The calls that share an address with a flow; for the last resort.
    func calls(near flow: Flow) -> Set<Int> {
        (byAddress[flow.source.address] ?? []).union(byAddress[flow.destination.address] ?? [])
    }
}
