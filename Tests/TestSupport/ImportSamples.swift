/// Small files of every format, written for these tests.
public enum ImportSamples {
    /// 2026-01-01T00:00:00Z in milliseconds since 1970.
    public static let start: Int64 = 1_767_225_600_000

    /// A report of one stream, keyed by id.
    public static func report(second: Int64, received: Int, ssrc: Int = 7) -> String {
        #"""
        {"I":{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":\#(ssrc),"timestamp":\#(start + 1000 * second),\#
        "packetsReceived":\#(received),"packetsLost":1,"jitter":0.004}}
        """#
    }

    /// Two calls of two reports each.
    public static let callStatisticsLog =
        "[[\"one\",[\(report(second: 0, received: 50)),\(report(second: 10, received: 550))]],"
        + "[\"two\",[\(report(second: 60, received: 40, ssrc: 8)),\(report(second: 70, received: 540, ssrc: 8))]]]"

    /// Three polls; a member that came with the second, RTCP that arrived between.
    public static let internals = #"""
        {"getUserMedia":[],"PeerConnections":{"8-1":{"pid":9,"url":"https://a.example/","rtcConfiguration":"{}",
        "updateLog":[
        {"type":"createOffer","value":"{}","timestamp":1767225599000},
        {"type":"setRemoteDescription","value":"{\"type\":\"answer\",\"sdp\":\"v=0\"}","timestamp":1767225599400},
        {"type":"oniceconnectionstatechange","value":"\"checking\"","timestamp":1767225599450},
        {"type":"oniceconnectionstatechange","value":"\"connected\"","timestamp":1767225599500}],
        "stats":{
        "I7-type":{"startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[\"inbound-rtp\",\"inbound-rtp\",\"inbound-rtp\"]"},
        "I7-timestamp":{"startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[1767225600000,1767225601000,1767225602000]"},
        "I7-kind":{"startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[\"audio\",\"audio\",\"audio\"]"},
        "I7-ssrc":{"startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[7,7,7]"},
        "I7-packetsReceived":{"startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[10,60,110]"},
        "I7-jitter":{"startTime":"2026-01-01T00:00:01.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[0.002,0.003]"},
        "I7-[packetsReceived/s]":{"startTime":"2026-01-01T00:00:01.000Z","endTime":"2026-01-01T00:00:02.000Z",
        "statsType":"inbound-rtp","values":"[50,50]"},
        "R7-timestamp":{"startTime":"2026-01-01T00:00:00.400Z","endTime":"2026-01-01T00:00:00.400Z",
        "statsType":"remote-inbound-rtp","values":"[1767225600400,1767225600400]"},
        "R7-roundTripTime":{"startTime":"2026-01-01T00:00:00.400Z","endTime":"2026-01-01T00:00:00.400Z",
        "statsType":"remote-inbound-rtp","values":"[0.05,0.05]"}
        }}},"UserAgent":"x","UserAgentData":[]}
        """#

    /// As Chrome wrote it before it kept times: no `timestamp`, no `statsType`, times in the user's language.
    public static let oldInternals = #"""
        {"getUserMedia":[],"PeerConnections":{"12-1":{"pid":12,"url":"https://a.example/","rtcConfiguration":"{}",
        "constraints":"","updateLog":[{"type":"iceconnectionstatechange","value":"connected",
        "time":"1/1/2026, 1:00:00 AM"}],"stats":{
        "RTCInboundRTPAudioStream_7-ssrc":{"startTime":"2026-01-01T00:00:00.000Z",
        "endTime":"2026-01-01T00:00:04.000Z","values":"[7,7,7]"},
        "RTCInboundRTPAudioStream_7-kind":{"startTime":"2026-01-01T00:00:00.000Z",
        "endTime":"2026-01-01T00:00:04.000Z","values":"[\"audio\",\"audio\",\"audio\"]"},
        "RTCInboundRTPAudioStream_7-packetsReceived":{"startTime":"2026-01-01T00:00:00.000Z",
        "endTime":"2026-01-01T00:00:04.000Z","values":"[10,110,210]"},
        "RTCInboundRTPAudioStream_7-jitter":{"startTime":"2026-01-01T00:00:02.000Z",
        "endTime":"2026-01-01T00:00:04.000Z","values":"[0.002,0.003]"}}}},"UserAgent":"x"}
        """#

    /// The dialect in which an object that is left out is gone; the rows are numbered, and one is missing.
    public static let legacyDump = #"""
        ["create","PC_0",{},1767225598000,1]
        ["createOffer","PC_0",{},1767225598100,2]
        ["setRemoteDescription","PC_0",{"type":"answer","sdp":"v=0"},1767225599000,3]
        ["oniceconnectionstatechange","PC_0","connected",1767225599500,4]
        ["getStats","PC_0",{"I":{"type":"inbound-rtp","kind":"audio","ssrc":7,"packetsReceived":10,"timestamp":0},"G":{"type":"codec","timestamp":0},"timestamp":1767225600000},1767225600001,6]
        ["getStats","PC_0",{"I":{"packetsReceived":60,"timestamp":0},"timestamp":1767225601000},1767225601001,7]
        ["onconnectionstatechange","PC_0","failed",1767225602000,8]
        ["close","PC_0",null,1767225603000,9]
        """#

    /// What Chrome exports: whole reports, with rates of its own between the members.
    public static let chromeDump = #"""
        RTCStatsDump
        {"fileFormat":3}
        ["create",null,{},1767225598000]
        ["create","8-1",{},"https://a.example/",100]
        ["oniceconnectionstatechange","8-1","\"connected\"",1400]
        ["getStats","8-1",{"I":{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"packetsReceived":10,"timestamp":1767225600000,"[packets/s]":5},"G":{"id":"G","type":"codec","timestamp":1767225600000}},500]
        ["getStats","8-1",{"I":{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"packetsReceived":60,"timestamp":1767225601000}},1000]
        """#

    /// What rtcstats writes: numbers for names, only what changed, `null` for what is gone.
    public static let compressedDump = #"""
        RTCStatsDump
        {"fileFormat":3,"clientProtocol":"rtcstats#5.0"}
        [39,"PC_0",{},1767225598000]
        [24,"PC_0","connected",1500]
        ["g","PC_0",{"0":{"type":1,"11":"audio","10":7,"14":10,"96":{"none":1,"cpu":0}},"1":{"type":14},"t":1767225600000},500]
        [1,"PC_0",{"0":{"14":60,"96":{"none":2}},"1":null,"t":1767225601000},1000]
        """#

    /// What rtcstats-server kept in 2016.
    public static let clientFile = #"""
        {"PeerConnections":{},"url":"https://a.example/","peerConnections":{"PC_0":[
        {"time":"2026-01-01T00:00:00.000Z","type":"create","value":{}},
        {"time":"2026-01-01T00:00:00.500Z","type":"oniceconnectionstatechange","value":"connected"},
        {"time":"2026-01-01T00:00:01.000Z","type":"getStats","value":{"I":{"id":"I","type":"inbound-rtp",
        "kind":"audio","ssrc":7,"packetsReceived":10,"timestamp":1767225601000}}},
        {"time":"2026-01-01T00:00:02.000Z","type":"getStats","value":{"I":{"packetsReceived":60,
        "timestamp":1767225602000}}},
        {"time":"2026-01-01T00:00:03.000Z","type":"close"}]}}
        """#

    /// A report of the `getStats` that Chrome had before W3C's.
    public static let googReport = #"""
        [{"id":"ssrc_7_recv","type":"ssrc","timestamp":"1767225600000","ssrc":"7","mediaType":"audio",
        "packetsReceived":"100","packetsLost":"3","bytesReceived":"8000","googJitterReceived":"12",
        "audioOutputLevel":"16383","googCodecName":"opus","googTrackId":"t"},
        {"id":"ssrc_8_send","type":"ssrc","timestamp":"1767225600000","ssrc":"8","googFrameRateSent":"30",
        "googFrameWidthSent":"640","googFrameHeightSent":"480","packetsSent":"200","packetsLost":"4",
        "bytesSent":"90000","googRtt":"80","googNacksReceived":"2","googCodecName":"VP8",
        "googCpuLimitedResolution":"true","googBandwidthLimitedResolution":"false"},
        {"id":"Conn-1","type":"googCandidatePair","timestamp":"1767225600000","googActiveConnection":"true",
        "googRtt":"3000","googLocalCandidateType":"local","googRemoteCandidateType":"stun",
        "googTransportType":"udp","googLocalAddress":"10.1.2.3:5000","googRemoteAddress":"192.0.2.9:6000",
        "bytesSent":"1","bytesReceived":"2"},
        {"id":"bwe","type":"VideoBwe","timestamp":"1767225600000","googAvailableSendBandwidth":"500000",
        "googAvailableReceiveBandwidth":"0"}]
        """#

    /// An event, a report in an envelope and one without a name, a line that is none, an event of another call.
    public static let mixedLines = #"""
        {"action":"callMetric","type":"callCreate","callId":"one","time":"1767225599000"}
        {"callId":"one","observer":"caller","time":1767225600000,"statistics":[{"id":"T","type":"transport","timestamp":1767225600000}]}
        {"T":{"id":"T","type":"transport","timestamp":1767225610000}}
        {"T":
        {"action":"callState","type":"ENDED","callId":"two","time":1767225620000}
        """#
}
