import CallModel
import RTPMeter

// MARK: - RTCP

extension WireProbe {
    mutating func takeControl(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        counted.rtcpPackets &+= 1
        guard !controlCopies.isCopy(payload, flow: frame.flow, at: time) else { return }
        // SRTCP keeps only its first header in the clear; the rest of it is nobody's report.
        let isEncrypted = !isInTheClear(payload, of: frame)
        let compound = RTCPCompound.parse(payload, wireLength: frame.payloadWireLength, isEncrypted: isEncrypted)
        for packet in compound.packets { take(packet, of: compound, flow: frame.flow, at: time) }
    }

    /// Whether RTCP can be read: its packets end with the datagram, or, where signalling says that nothing is encrypted, with
    /// fewer bytes behind them than SRTCP has, which keys that signalling does not show may encrypt
    /// ([RFC 6189](https://www.rfc-editor.org/rfc/rfc6189)). Where the capture did not keep what is behind them, signalling
    /// alone tells.
    private func isInTheClear(_ payload: RawSpan, of frame: DecodedFrame) -> Bool {
        let rest = RTCPCompound.bytesBehind(payload, wireLength: frame.payloadWireLength)
        guard let rest, rest > 0 else { return rest == 0 }
        let isRestKept = frame.payloadWireLength - rest + Self.headerBytes <= payload.byteCount
        guard !isRestKept || rest < Self.leastBytesOfSRTCP else { return false }
        return matchOfControl(frame.flow)?.terms?.isInTheClear == true
    }

    /// What signalling says of a flow of control packets, which may have ports of their own.
    private func matchOfControl(_ flow: Flow) -> MediaDirectory.Match? {
        if let match = match(flow) { return match }
        guard let media = flow.besideControl else { return nil }
        return match(media)
    }

    /// Behind the packets of SRTCP come an index of four bytes and a tag of four or more
    /// ([RFC 3711 §3.4](https://www.rfc-editor.org/rfc/rfc3711#section-3.4)).
    private static let leastBytesOfSRTCP = 8

    /// By the first bytes of a packet it is known for one: its version, type and length (RFC 3550 §6.4.1).
    private static let headerBytes = 4

    private mutating func take(_ packet: RTCPPacket, of compound: RTCPCompound, flow: Flow, at time: ArrivalTime) {
        switch packet {
        case .senderReport(let report):
            if let place = stream(sentBy: report.ssrc, flow) {
                control[place, default: ControlLedger()]
                    .take(report, of: streams[place].meter, at: self.time(time, ofStream: place))
            } else {
                keep(report, of: flow, at: time)
            }
            for block in report.reports { take(block, by: report.ssrc, flow: flow, at: time) }
        case .receiverReport(let report):
            // Behind a sender's report, it only has more blocks (RFC 3550 §6.1).
            if !compound.packets.contains(where: \.isOfSender), let place = stream(sentBy: report.ssrc, flow) {
                let own = self.time(time, ofStream: place)
                control[place]?.takeReportOfReceiver(at: own)
            }
            for block in report.reports { take(block, by: report.ssrc, flow: flow, at: time) }
        case .goodbye(let goodbye):
            for source in goodbye.sources {
                if let place = stream(sentBy: source, flow) {
                    control[place, default: ControlLedger()].leave(at: self.time(time, ofStream: place))
                }
            }
        case .feedback(let feedback):
            for source in feedback.sources {
                if let place = stream(receivedFrom: source, flow) {
                    control[place, default: ControlLedger()].take(feedback.kind)
                }
            }
        case .extendedReport(let report): take(report, of: compound, flow: flow, at: time)
        case .encrypted(_, let sender):
            if let place = stream(sentBy: sender, flow) {
                control[place, default: ControlLedger()].noteUnreadable(at: self.time(time, ofStream: place))
            }
        default: break
        }
    }

    private mutating func take(_ block: ReportBlock, by receiver: UInt32, flow: Flow, at time: ArrivalTime) {
        guard let place = stream(receivedFrom: block.ssrc, flow) else {
            return take(unseen: block, by: receiver, flow: flow)
        }
        let half = otherHalf(of: place)
        control[place, default: ControlLedger()]
            .take(
                block, by: receiver, of: streams[place].meter, otherHalf: half, at: self.time(time, ofStream: place))
    }

    /// Takes a report on a source that the capture does not have: it is kept with what the receiver sends, else with the
    /// end of the call that it is.
    private mutating func take(unseen block: ReportBlock, by receiver: UInt32, flow: Flow) {
        if let own = stream(sentBy: receiver, flow) {
            control[own, default: ControlLedger()].unseenSources.take(block)
        } else if let match = matchOfControl(flow) {
            unseenSources[match.call, default: [UnseenSources(), UnseenSources()]][1 - match.end].take(block)
        }
    }

    private mutating func take(_ report: ExtendedReport, of compound: RTCPCompound, flow: Flow, at time: ArrivalTime) {
        for block in report.blocks {
            switch block {
            case .voipMetrics(let metrics):
                if let place = stream(receivedFrom: metrics.ssrc, flow) {
                    control[place, default: ControlLedger()]
                        .take(metrics, by: report.ssrc, at: self.time(time, ofStream: place))
                }
            case .receiverReferenceTime(let ntpTimestamp):
                // The receiver's clock; the sender answers it with DLRR.
                for place in streams(timedBy: report.ssrc, compound, flow) {
                    control[place, default: ControlLedger()].roundTrips
                        .noteReferenceTime(
                            ssrc: report.ssrc, ntpTimestamp: ntpTimestamp, at: self.time(time, ofStream: place))
                }
            case .delaySinceLastReceiverReport(let answers):
                for answer in answers { take(answer, by: report.ssrc, flow: flow, at: time) }
            case .statisticsSummary: break
            }
        }
    }

    /// An answer to a receiver's clock tells the way to who answers. It is kept with what the receiver sends to him;
    /// where the receiver only listens, with what he sends.
    private mutating func take(_ answer: ReceiverReportDelay, by sender: UInt32, flow: Flow, at time: ArrivalTime) {
        if let place = stream(receivedFrom: answer.ssrc, flow) {
            let half = otherHalf(of: place)
            control[place, default: ControlLedger()].take(answer, otherHalf: half, at: self.time(time, ofStream: place))
        } else if let place = stream(sentBy: sender, flow) {
            let own = self.time(time, ofStream: place)
            control[place]?.takeAnswer(toListener: answer, at: own)
        }
    }

    /// The streams with which a receiver's clock is kept: his own, else those that he reports on in the same datagram.
    private func streams(timedBy ssrc: UInt32, _ compound: RTCPCompound, _ flow: Flow) -> [Int] {
        if let own = stream(sentBy: ssrc, flow) { return [own] }
        return compound.packets.flatMap(\.reportBlocks).compactMap { stream(receivedFrom: $0.ssrc, flow) }
    }

    /// The stream of this source that is sent from where the control packet comes from.
    private func stream(sentBy ssrc: UInt32, _ flow: Flow) -> Int? {
        guard let namesakes = placesBySSRC[ssrc] else { return nil }
        var found: Int?
        for place in namesakes.suffix(Self.mostNamesakes) {
            for media in flows(of: place) {
                guard media.source.address == flow.source.address,
                    media.destination.address == flow.destination.address
                else { continue }
                // RTCP goes beside its media, to the same port or the next (RFC 3550 §11).
                if media.isNear(flow, ports: 1) { return place }
                found = found ?? place
            }
        }
        return found ?? loneStream(namesakes, flow)
    }

    /// The only stream of a source whose control packets share one of its hosts: a NAT may show the other one under
    /// another address, and receivers report to a group of which they are members (RFC 3550 §6.2). Two hosts that are
    /// both others are another leg.
    private func loneStream(_ namesakes: [Int], _ flow: Flow) -> Int? {
        guard namesakes.count == 1, let place = namesakes.first else { return nil }
        let media = streams[place].identity.flow
        let isOfGroup = media.destination.address.isMulticast && media.destination.address == flow.source.address
        let isOfHost =
            media.source.address == flow.source.address || media.destination.address == flow.destination.address
        return isOfHost || isOfGroup ? place : nil
    }

    /// The stream of this source that is received where the control packet comes from.
    private func stream(receivedFrom ssrc: UInt32, _ flow: Flow) -> Int? {
        stream(sentBy: ssrc, flow.reversed)
    }

    /// From the probe to the sender of a stream and back: measured on what flows the other way, else by the sender's
    /// answers to who only listens.
    func otherHalf(of place: Int) -> Double? {
        guard let ends = calls[streams[place].call]?.ends else { return nil }
        let end = streams[place].end
        for other in ends[1 - end].streams { if let seconds = control[other]?.receiverSeconds { return seconds } }
        for own in ends[end].streams { if let seconds = control[own]?.senderSeconds { return seconds } }
        return nil
    }
}

extension Flow {
    /// The flow of media that such control packets go beside, a port higher
    /// ([RFC 3550 §11](https://www.rfc-editor.org/rfc/rfc3550#section-11)); nil where there is none.
    var besideControl: Flow? {
        guard source.port > 0, destination.port > 0 else { return nil }
        return Flow(
            source: Endpoint(address: source.address, port: source.port - 1),
            destination: Endpoint(address: destination.address, port: destination.port - 1))
    }
}

extension RTCPPacket {
    /// Whether it is a sender's report.
    fileprivate var isOfSender: Bool {
        if case .senderReport = self { true } else { false }
    }

    /// What it says of streams that its sender receives.
    fileprivate var reportBlocks: [ReportBlock] {
        switch self {
        case .senderReport(let report): report.reports
        case .receiverReport(let report): report.reports
        default: []
        }
    }
}

extension IPAddress {
    /// Whether it is that of a group: 224.0.0.0/4 ([RFC 5771](https://www.rfc-editor.org/rfc/rfc5771)) or ff00::/8
    /// ([RFC 4291 §2.7](https://www.rfc-editor.org/rfc/rfc4291#section-2.7)).
    fileprivate var isMulticast: Bool { isIPv4 ? low >> 28 & 0xF == 0xE : high >> 56 == 0xFF }
}
