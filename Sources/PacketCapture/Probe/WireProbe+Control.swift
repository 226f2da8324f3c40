import CallModel
import RTPMeter

// MARK: - RTCP

extension WireProbe {
    mutating func takeControl(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        counted.rtcpPackets &+= 1
        // SRTCP keeps only its first header in the clear; the rest of it is nobody's report.
        let isEncrypted = !RTCPCompound.fitsExactly(payload, wireLength: frame.payloadWireLength)
        let compound = RTCPCompound.parse(payload, wireLength: frame.payloadWireLength, isEncrypted: isEncrypted)
        for packet in compound.packets { take(packet, flow: frame.flow, at: time) }
    }

    private mutating func take(_ packet: RTCPPacket, flow: Flow, at time: ArrivalTime) {
        switch packet {
        case .senderReport(let report):
            if let place = stream(sentBy: report.ssrc, flow) {
                control[place, default: ControlLedger()].take(report, at: time)
            }
            for block in report.reports { take(block, flow: flow, at: time) }
        case .receiverReport(let report):
            for block in report.reports { take(block, flow: flow, at: time) }
        case .goodbye(let goodbye):
            for source in goodbye.sources {
                if let place = stream(sentBy: source, flow) {
                    control[place, default: ControlLedger()].leave(at: time)
                }
            }
        case .feedback(let feedback):
            for source in feedback.sources {
                if let place = stream(receivedFrom: source, flow) {
                    control[place, default: ControlLedger()].take(feedback.kind)
                }
            }
        case .extendedReport(let report): take(report, flow: flow, at: time)
        default: break
        }
    }

    private mutating func take(_ block: ReportBlock, flow: Flow, at time: ArrivalTime) {
        guard let place = stream(receivedFrom: block.ssrc, flow) else { return }
        let half = otherHalf(of: place)
        control[place, default: ControlLedger()].take(block, otherHalf: half, at: time)
    }

    private mutating func take(_ report: ExtendedReport, flow: Flow, at time: ArrivalTime) {
        for block in report.blocks {
            switch block {
            case .voipMetrics(let metrics):
                if let place = stream(receivedFrom: metrics.ssrc, flow) {
                    control[place, default: ControlLedger()].take(metrics, at: time)
                }
            case .receiverReferenceTime(let ntpTimestamp):
                // The receiver's clock; the sender answers it with DLRR. Kept with the streams the receiver itself sends.
                if let place = stream(sentBy: report.ssrc, flow) {
                    control[place, default: ControlLedger()].roundTrips
                        .noteReferenceTime(ssrc: report.ssrc, ntpTimestamp: ntpTimestamp, at: time)
                }
            case .delaySinceLastReceiverReport(let answers):
                for answer in answers {
                    guard let place = stream(receivedFrom: answer.ssrc, flow) else { continue }
                    let half = otherHalf(of: place)
                    control[place, default: ControlLedger()].take(answer, otherHalf: half, at: time)
                }
            case .statisticsSummary: break
            }
        }
    }

    /// The stream of this source that is sent from where the control packet comes from.
    private func stream(sentBy ssrc: UInt32, _ flow: Flow) -> Int? {
        let namesakes = placesBySSRC[ssrc] ?? []
        let places = namesakes.suffix(Self.mostNamesakes)
        let between = places.filter {
            let media = streams[$0].identity.flow
            return media.source.address == flow.source.address && media.destination.address == flow.destination.address
        }
        // RTCP goes beside its media, to the same port or the next (RFC 3550 §11).
        let found = between.first { streams[$0].identity.flow.isNear(flow, ports: 1) } ?? between.first
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

    /// From the probe to the sender of a stream and back: measured on what flows the other way.
    private func otherHalf(of place: Int) -> Double? {
        let end = 1 - streams[place].end
        for other in calls[streams[place].call]?.ends[end].streams ?? [] {
            if let seconds = control[other]?.receiverSeconds { return seconds }
        }
        return nil
    }
}

extension IPAddress {
    /// Whether it is that of a group: 224.0.0.0/4 ([RFC 5771](https://www.rfc-editor.org/rfc/rfc5771)) or ff00::/8
    /// ([RFC 4291 §2.7](https://www.rfc-editor.org/rfc/rfc4291#section-2.7)).
    fileprivate var isMulticast: Bool { isIPv4 ? low >> 28 & 0xF == 0xE : high >> 56 == 0xFF }
}
