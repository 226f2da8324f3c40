import RTPMeter

/// Takes the wrappings off a frame until the payload of UDP or TCP is left.
///
/// One decoder a capture: it remembers fragments of datagrams until they are complete.
///
/// Each kind of header is an extension in a file of its own. They share one way of working: a method gets the frame,
/// the ``Extent`` of its layer and what was learnt so far (``Descent``), checks that its header was captured, and hands
/// on to the method of the next layer. A method that cannot go on counts the reason and returns nil. Lengths in headers
/// are trusted for what the wire had, never for what may be read.
struct FrameDecoder {
    /// IP headers, tunnels and link layers inside each other; more are an attack.
    static let maximumDepth = 8

    /// What the next frame begins with; nil for a link type that is none of those there are.
    var linkType: LinkType?
    /// Fragments that were kept, waiting for the rest of their datagram.
    private(set) var heldFragments = 0
    /// What happened to fragmented datagrams.
    var fragmentFates: FragmentTable.Fates { fragments.fates }
    var fragments = FragmentTable()
    /// The datagram last put together from fragments: where the payload of a frame with
    /// ``DecodedFrame/isAssembled`` lies, until the next frame is decoded.
    var assembled: [UInt8] = []
    /// The media packet that the ICMP error decoded last says cannot be delivered.
    private var undeliverable: UndeliverablePacket?
    /// The datagram of which the frame decoded last is the first fragment.
    private var beginning: DecodedFrame?
    private var counts = [Int](repeating: 0, count: FrameRefusal.allCases.count)

    init(linkType: LinkType) {
        self.linkType = linkType
    }

    /// How many frames were refused, by reason; reasons that did not occur are absent.
    var refused: [FrameRefusal: Int] {
        let pairs = zip(FrameRefusal.allCases, counts).filter { $0.1 > 0 }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The payload of one frame.
    ///
    /// Every frame is one of three things: decoded (returned), refused (counted in ``refused``), or a fragment that is
    /// kept (counted in ``heldFragments``).
    /// - Parameters:
    ///   - frame: What was captured of it.
    ///   - wireLength: Its length on the wire.
    ///   - time: When it arrived; fragments expire by it.
    /// - Returns: nil if it has no UDP or TCP payload, or that payload is not complete yet.
    @inline(__always)
    mutating func decode(_ frame: RawSpan, wireLength: Int, at time: ArrivalTime) -> DecodedFrame? {
        if linkType == .ethernet, let plain = plainMedia(frame, wireLength: wireLength) { return plain }
        return decodeInFull(frame, wireLength: wireLength, at: time)
    }

    /// The payload of any frame, layer by layer.
    @inline(never)
    mutating func decodeInFull(_ frame: RawSpan, wireLength: Int, at time: ArrivalTime) -> DecodedFrame? {
        let extent = Extent(start: 0, end: frame.byteCount, wireEnd: max(wireLength, frame.byteCount))
        let descent = Descent(time: time)
        switch linkType {
        case nil: return refuse(.unknownLinkType)
        case .ethernet: return ethernet(frame, extent, descent)
        case .linuxCooked: return linuxCooked(frame, extent, descent)
        case .linuxCooked2: return linuxCooked2(frame, extent, descent)
        case .raw, .rawOpenBSD, .rawFile, .ipv4, .ipv6: return anyIP(frame, extent, descent)
        case .null, .loop: return loopback(frame, extent, descent)
        case .ppp, .pppSerial: return ppp(frame, extent, descent)
        case .pppEthernet: return pppoe(frame, extent, descent)
        }
    }

    /// Lends the payload of the frame just decoded, from wherever it lies.
    /// - Parameters:
    ///   - decoded: What ``decode(_:wireLength:at:)`` returned last.
    ///   - frame: The frame it was decoded from.
    ///   - body: Gets the captured bytes of the payload.
    /// - Returns: What `body` returns.
    @inline(__always)
    func withPayload<Result>(of decoded: DecodedFrame, in frame: RawSpan, _ body: (RawSpan) -> Result) -> Result {
        if decoded.isAssembled { return assembled.withRawSpan { body($0.extracting(decoded.payload)) } }
        return body(frame.extracting(decoded.payload))
    }

    // MARK: What the layers use

    /// Counts a frame that goes no further.
    mutating func refuse(_ reason: FrameRefusal) -> DecodedFrame? {
        // `allCases` is in order of declaration, so a hash of ten cases would be slower than looking.
        if let index = FrameRefusal.allCases.firstIndex(of: reason) { counts[index] += 1 }
        return nil
    }

    /// Keeps what an ICMP error quotes.
    mutating func keep(undeliverable packet: UndeliverablePacket?) { undeliverable = packet }

    /// Takes the packet that an ICMP error quoted, if the frame decoded last was one; see ``UndeliverablePacket``.
    mutating func takeUndeliverable() -> UndeliverablePacket? {
        defer { undeliverable = nil }
        return undeliverable
    }

    /// Keeps what the first fragment of a datagram tells, whose payload lies in the frame as far as it goes.
    mutating func keep(beginning frame: DecodedFrame?) { beginning = frame }

    /// Takes the datagram that began with the frame decoded last, if that is a first fragment and the rest of it is missing.
    mutating func takeBeginning() -> DecodedFrame? {
        defer { beginning = nil }
        return beginning
    }

    /// Counts a frame whose header of `bytes` bytes is not all there: the snap length's fault, or its own.
    mutating func refuseShort(_ extent: Extent, needing bytes: Int) -> DecodedFrame? {
        refuse(extent.wireCount >= bytes ? .cutBySnapLength : .malformed)
    }

    /// Counts a fragment that has to wait.
    mutating func hold() -> DecodedFrame? {
        heldFragments += 1
        return nil
    }
}

/// What was learnt on the way into a frame.
struct Descent {
    let time: ArrivalTime
    var depth = 0
    var encapsulation: Encapsulation = []
    var isOutgoing: Bool?

    init(time: ArrivalTime) {
        self.time = time
    }

    /// One layer further in.
    func entering(_ kind: Encapsulation) -> Descent {
        var inner = self
        inner.depth += 1
        inner.encapsulation.insert(kind)
        return inner
    }
}
