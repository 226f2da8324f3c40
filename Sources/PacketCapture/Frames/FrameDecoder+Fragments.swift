extension FrameDecoder {
    /// One fragment of an IPv4 or IPv6 datagram; decodes the datagram when it was the last one missing.
    mutating func fragment(
        _ piece: FragmentPiece, _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard descent.depth < Self.maximumDepth else { return refuse(.nestedTooDeep) }
        // All but the last end at a multiple of eight (RFC 791 §3.2, RFC 8200 §4.5); none is empty.
        guard extent.wireCount > 0, !piece.hasMore || extent.wireCount % 8 == 0 else { return refuse(.malformed) }
        guard !extent.isCut else { return cutFragment(piece, bytes, extent, header, descent) }
        let key = FragmentTable.Key(
            source: header.source, destination: header.destination, identification: piece.identification,
            number: header.source.isIPv4 ? piece.number : 0)
        switch fragments.take(piece, key: key, bytes, extent.start..<extent.end, at: descent.time) {
        case .kept:
            if fragments.isMissing(restOf: key) { keep(beginning: beginning(piece, bytes, extent, header, descent)) }
            return hold()
        case .refused: return refuse(.overlappingFragment)
        case .complete(let number, let whole): return decodeAssembled(whole, number, header, descent)
        }
    }

    /// What the first fragment of a datagram over UDP tells of it, the payload cut.
    private func beginning(
        _ piece: FragmentPiece, _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard piece.offset == 0, piece.number == IPProtocol.udp, extent.has(8),
            !descent.encapsulation.contains(.fragments)
        else { return nil }
        let length = Int(bytes.networkOrder(at: extent.start + 4, as: UInt16.self))
        guard length > extent.wireCount else { return nil }
        let payload = extent.limited(toWire: length).dropping(8)
        return DecodedFrame(
            transport: .udp,
            flow: Flow(
                source: Endpoint(address: header.source, port: bytes.networkOrder(at: extent.start)),
                destination: Endpoint(address: header.destination, port: bytes.networkOrder(at: extent.start + 2))),
            payload: payload.start..<payload.end, payloadWireLength: payload.wireCount,
            identification: header.identification, hopLimit: header.hopLimit, isOutgoing: descent.isOutgoing,
            encapsulation: descent.encapsulation.union(.fragments))
    }

    private mutating func decodeAssembled(
        _ whole: [UInt8], _ number: UInt8, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        let extent = Extent(start: 0, end: whole.count, wireEnd: whole.count)
        let inner = descent.entering(.fragments)
        var frame = whole.withRawSpan { extensionHeaders(number, $0, extent, header, inner) }
        // Fragments may lie within these fragments; then the innermost datagram is the one that counts.
        if frame?.isAssembled == false {
            frame?.isAssembled = true
            assembled = whole
        }
        return frame
    }

    /// A fragment of which the snap length left only the beginning: the datagram cannot be put together any more, but
    /// the first one holds the headers, and the UDP header says how long the datagram was.
    private mutating func cutFragment(
        _ piece: FragmentPiece, _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard piece.offset == 0, piece.number == IPProtocol.udp, extent.has(8) else { return refuse(.cutFragment) }
        let length = Int(bytes.networkOrder(at: extent.start + 4, as: UInt16.self))
        guard length > extent.wireCount else { return refuse(.malformed) }
        return udp(bytes, extent.limited(toWire: length), header, descent)
    }
}
