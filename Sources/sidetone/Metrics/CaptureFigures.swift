import PacketCapture
import PrometheusText

extension Sensor.View {
    /// What is metered of a capture. Reasons for which packets are left aside are many; they are in the log's summary.
    var observations: [MetricRegistry.Observation] {
        let dropped = statistics ?? CaptureStatistics()
        let known = figures.rtpPackets + figures.rtcpPackets
        let packets = [
            ("rtp", figures.rtpPackets), ("rtcp", figures.rtcpPackets), ("other", max(0, figures.frames - known)),
            ("kernel_dropped", dropped.droppedByKernel), ("interface_dropped", dropped.droppedByInterface),
        ]
        let live = [
            ("sidetone_pcap_streams_active", figures.liveStreams), ("sidetone_pcap_calls_active", figures.liveCalls),
        ]
        return packets.map { outcome, count in
            MetricRegistry.Observation(
                "sidetone_pcap_packets_total", labels: [("outcome", outcome)], value: Double(count))
        } + live.map { name, count in MetricRegistry.Observation(name, value: Double(count)) }
    }
}
