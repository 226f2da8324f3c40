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
        /// The hosts that have named the place for the end, and those that were told of it.
        var hosts: Set<IPAddress>
        var listeners: Set<IPAddress>
        /// Counts descriptions: a later one has a higher number.
        var number: Int
        var terms: MediaTerms

        /// Whether a translator of addresses may have put one place for another: it gave the description, which names an inner
        /// address, its own; or who sent it from an inner address names an outer one, and the port stays.
        func isTranslated(_ named: Endpoint, to seen: Endpoint) -> Bool {
            if named.address.isPrivate { return seen.address == announcer && !announcer.isPrivate }
            return announcer.isPrivate && seen.address.isPrivate && seen.port == named.port
        }
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
    /// Of so many calls that share a place it is remembered what they announced there, of the latest ones.
    static let mostSharing = 64

    /// Of so many hosts it is remembered that they have named a place for an end, or were told of it.
    private static let mostHosts = 8

    /// The addresses a call is part of, by SDP or as sender of SIP.
    private struct Hosts {
        var addresses: Set<IPAddress> = []
        /// Whether an inner and an outer address were named for one of them, so that packets may have others than SDP says.
        var areTranslated = false
    }

    private var descriptions = 0
    /// By the places that descriptions name; one of each call, the latest last. Servers and simple clients have one place for
    /// all their calls.
    private var announced: [Endpoint: [Announcement]] = [:]
    /// By the address of the signalling with the port of the description: behind a NAT that one has an inner address,
    /// and the packets have that of the signalling. A guess, which gives way to what any call announced.
    private var guessed: [Endpoint: Announcement] = [:]
    /// Ports at which a call expects media without saying at what address, of the latest descriptions.
    private var ports: [Int: [(port: UInt16, announcement: Announcement)]] = [:]
    /// Where each call expects its media, the latest places last, to be forgotten with it.
    private var endpoints: [Int: [Endpoint]] = [:]
    /// The calls behind a translator of addresses, by all of their addresses.
    private var byAddress: [IPAddress: Set<Int>] = [:]
    private var hosts: [Int: Hosts] = [:]

    /// Notes what an end announced.
    /// - Parameters:
    ///   - description: what it announced.
    ///   - end: the end.
    ///   - call: the call.
    ///   - signalling: the host that sent the description.
    ///   - listener: the host that it was sent to.
    ///   - kept: places of which the call that has them is to keep them.
    /// - Returns: the endpoints at which the end may now receive, whether any was not of the call before, and the calls that
    ///   they were announced for before.
    mutating func announce(
        _ description: SessionDescription, by end: Int, of call: Int, from signalling: IPAddress,
        to listener: IPAddress? = nil, leaving kept: Set<Endpoint> = []
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
                call: call, end: end, announcer: signalling, hosts: [signalling],
                listeners: Set([listener].compactMap(\.self)), number: descriptions, terms: common)
            displaced.formUnion(owners(of: place.endpoint))
            share(place.endpoint, announcement)
            places.append(place.endpoint)
            guard place.lines.contains(where: { description.media[$0].endpoint == place.endpoint }) else { continue }
            note(place.endpoint.address, call)
            if place.endpoint.address.isPrivate != signalling.isPrivate { hosts[call]?.areTranslated = true }
            let guess = Endpoint(address: signalling, port: place.endpoint.port)
            guard guess != place.endpoint else { continue }
            displaced.formUnion(owners(of: guess))
            guessed[guess] = announcement
            places.append(guess)
        }
        let areNew = !Set(places).isSubset(of: endpoints[call] ?? [])
        for guess in announcePorts(of: description, by: end, of: call, from: signalling) {
            displaced.formUnion(owners(of: guess.place))
            guessed[guess.place] = guess.announcement
            places.append(guess.place)
        }
        displaced.remove(call)
        if let own = hosts[call], own.areTranslated {
            for address in own.addresses { byAddress[address, default: []].insert(call) }
        }
        remember(places, of: call)
        return (places, areNew, displaced)
    }

    /// Notes the ports that a description names without an address: the media are guessed to go to who sent it, and else to
    /// whoever gets them from the other end; see ``claim(of:to:payloadType:)``.
    /// - Returns: The places that are guessed.
    private mutating func announcePorts(
        of description: SessionDescription, by end: Int, of call: Int, from signalling: IPAddress
    ) -> [(place: Endpoint, announcement: Announcement)] {
        let guesses = description.media.filter(\.isWithoutAddress).map { line in
            let announcement = Announcement(
                call: call, end: end, announcer: signalling, hosts: [signalling], listeners: [],
                number: descriptions, terms: MediaTerms([line]))
            return (place: Endpoint(address: signalling, port: line.port), announcement: announcement)
        }
        guard !guesses.isEmpty else { return [] }
        hosts[call]?.areTranslated = true
        let others = (ports[call] ?? []).filter { $0.announcement.end != end }
        ports[call] = others + guesses.map { (port: $0.place.port, announcement: $0.announcement) }
        return guesses
    }

    private mutating func share(_ endpoint: Endpoint, _ announcement: Announcement) {
        var announcement = announcement
        if let known = self.announcement(of: endpoint, by: announcement.call), known.end == announcement.end {
            if known.hosts.count < Self.mostHosts { announcement.hosts.formUnion(known.hosts) }
            if known.listeners.count < Self.mostHosts { announcement.listeners.formUnion(known.listeners) }
        }
        announced[endpoint, default: []].removeAll { $0.call == announcement.call }
        announced[endpoint, default: []].append(announcement)
        if announced[endpoint, default: []].count > Self.mostSharing { announced[endpoint]?.removeFirst() }
    }

    /// What was announced last of a place; `nil` where no call goes on that did.
    func announcement(of endpoint: Endpoint) -> Announcement? { announced[endpoint]?.last }

    private func announcement(of endpoint: Endpoint, by call: Int) -> Announcement? {
        announced[endpoint]?.last { $0.call == call }
    }

    /// Whether an end of a call has named a place after another, and not the other again: media move there.
    func hasMoved(from old: Endpoint, to new: Endpoint, of call: Int) -> Bool {
        guard let former = announcement(of: old, by: call), let latter = announcement(of: new, by: call) else {
            return false
        }
        return former.number < latter.number && former.end == latter.end && former.announcer == latter.announcer
    }

    /// Whether a place is that of a relay: who was told of another place of the end has put it in, and nobody else names it.
    func isRelay(_ place: Endpoint, of call: Int) -> Bool {
        guard let own = announcement(of: place, by: call), own.hosts.count == 1 else { return false }
        return (endpoints[call] ?? []).contains { endpoint in
            guard endpoint != place, let other = announcement(of: endpoint, by: call) else { return false }
            return other.end == own.end && other.listeners.contains(own.announcer)
        }
    }

    /// The hosts at which an end of a call expects its media. Behind a translator that is who sent the description, whose own
    /// address ([RFC 1918](https://www.rfc-editor.org/rfc/rfc1918)) is in it.
    func hosts(of call: Int, end: Int) -> Set<IPAddress> {
        var hosts: Set<IPAddress> = []
        for endpoint in endpoints[call] ?? [] {
            guard let known = announcement(of: endpoint, by: call), known.end == end else { continue }
            hosts.insert(endpoint.address)
            if endpoint.address.isPrivate, !known.announcer.isPrivate { hosts.insert(known.announcer) }
        }
        return hosts
    }

    private func owners(of endpoint: Endpoint) -> [Int] {
        [announced[endpoint]?.last, guessed[endpoint]].compactMap { $0?.call }
    }

    private mutating func remember(_ places: [Endpoint], of call: Int) {
        var seen: Set<Endpoint> = []
        let latestFirst = ((endpoints[call] ?? []) + places).reversed().filter { seen.insert($0).inserted }
        for endpoint in latestFirst.dropFirst(Self.mostPlaces) { forget(endpoint, of: call) }
        endpoints[call] = latestFirst.prefix(Self.mostPlaces).reversed()
    }

    private mutating func note(_ address: IPAddress, _ call: Int) {
        guard hosts[call]?.addresses.count ?? 0 < Self.mostAddresses else { return }
        hosts[call, default: Hosts()].addresses.insert(address)
    }

    /// Forgets a call.
    mutating func forget(_ call: Int) {
        for endpoint in endpoints.removeValue(forKey: call) ?? [] { forget(endpoint, of: call) }
        settle(call)
        hosts[call] = nil
        ports[call] = nil
    }

    /// Looks for media of a call by its addresses no more, until it describes some anew.
    mutating func settle(_ call: Int) {
        for address in hosts[call]?.addresses ?? [] {
            byAddress[address]?.remove(call)
            if byAddress[address]?.isEmpty == true { byAddress[address] = nil }
        }
    }

    private mutating func forget(_ endpoint: Endpoint, of call: Int) {
        announced[endpoint]?.removeAll { $0.call == call }
        if announced[endpoint]?.isEmpty == true { announced[endpoint] = nil }
        if guessed[endpoint]?.call == call { guessed[endpoint] = nil }
    }

    /// The call of a flow by what was announced: where it goes, else where it comes from (symmetric RTP, RFC 4961);
    /// then by what is guessed. Of several calls that share one of its places, the latest that announced the other, too;
    /// else that of which the other is guessed, that which has the flow, and the latest.
    /// - Parameters:
    ///   - flow: the flow.
    ///   - owner: the call that has streams on the same way, or on the way back.
    /// - Returns: its place in the call; `nil` where nobody announced any of its places.
    func match(_ flow: Flow, owner: Int? = nil) -> Match? {
        let (receivers, senders) = (announced[flow.destination] ?? [], announced[flow.source] ?? [])
        if receivers.count > 1 {
            if let receiver = receivers.last(where: { one in senders.contains { $0.call == one.call } }) {
                return Match(receivedBy: receiver)
            }
            // What very many calls share is not remembered of each.
            if let sender = senders.last(where: { endpoints[$0.call]?.contains(flow.destination) == true }) {
                return Match(sentBy: sender)
            }
        }
        if let receiver = choice(of: receivers, beside: flow.source, owner) { return Match(receivedBy: receiver) }
        // A guess about the receiver says more than its partner, if both are of one call.
        if let receiver = guessed[flow.destination],
            senders.isEmpty || senders.contains(where: { $0.call == receiver.call })
        {
            return Match(receivedBy: receiver)
        }
        let sender = choice(of: senders, beside: flow.destination, owner) ?? guessed[flow.source]
        return sender.map { Match(sentBy: $0) }
    }

    /// Whether several announcements name an end of it, so that its owner may decide.
    func isShared(_ flow: Flow) -> Bool {
        let (receivers, senders) = (announced[flow.destination]?.count ?? 0, announced[flow.source]?.count ?? 0)
        return max(receivers, senders) > 1
    }

    private func choice(of known: [Announcement], beside other: Endpoint, _ owner: Int?) -> Announcement? {
        guard known.count > 1 else { return known.last }
        if let guess = guessed[other], let own = known.last(where: { $0.call == guess.call }) { return own }
        guard let owner else { return known.last }
        return known.last { $0.call == owner } ?? known.last
    }

    /// Audio or video by what signalling says of the payload type, else of the source, else of all that is received
    /// there; `nil` when it says nothing.
    func kind(of identity: StreamIdentity, in match: Match, payloadType: UInt8) -> MediaKind? {
        guard let terms = match.terms else { return nil }
        if let kind = terms.kind(of: payloadType) { return kind }
        let source = identity.flow.source
        if let sender = announcement(of: source, by: match.call) ?? guessed[source], sender.call == match.call,
            let kind = sender.terms.kind(ofSource: identity.ssrc)
        {
            return kind
        }
        return terms.commonKind
    }

    /// What a call announced that a flow could go to: at a port of which it did not say the address; or behind a translator of
    /// addresses, where what is on its way to a host that
    /// described itself as it is has the place that was negotiated
    /// ([RFC 3264 §5.1](https://www.rfc-editor.org/rfc/rfc3264#section-5.1)), or is another's. It comes from the other end.
    func claim(of call: Int, to flow: Flow, payloadType: UInt8) -> Match? {
        let known = (endpoints[call] ?? []).compactMap { endpoint in
            announcement(of: endpoint, by: call).map { (place: endpoint, announcement: $0) }
        }
        func isFromOther(than end: Int) -> Bool {
            known.contains { other, sender in
                sender.end != end
                    && (other.address == flow.source.address || sender.isTranslated(other, to: flow.source))
            }
        }
        let receiver = known.last { place, receiver in
            receiver.terms[payloadType] != nil && receiver.isTranslated(place, to: flow.destination)
                && isFromOther(than: receiver.end)
        }
        if let receiver { return Match(receivedBy: receiver.announcement) }
        let unplaced = ports[call]?.last { port, receiver in
            port == flow.destination.port && receiver.terms[payloadType] != nil && isFromOther(than: receiver.end)
        }
        return unplaced.map { Match(receivedBy: $0.announcement) }
    }

    /// The calls behind a translator of addresses that share one with a flow: those of the address that is of fewer.
    func calls(near flow: Flow) -> Set<Int> {
        let calls = [flow.source, flow.destination].compactMap { byAddress[$0.address] }
        return calls.min { $0.count < $1.count } ?? []
    }
}
