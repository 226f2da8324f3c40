import Testing

/// How many datagrams and segments the shared captures hold, as tshark 4.0.17 sees them.
///
/// Made from `tshark -n -r FILE -T fields -E occurrence=a -e frame.protocols -e udp.srcport …`: of each frame that is
/// no ICMP error, the innermost UDP or TCP header. The sum of its two ports over all frames tells whether the right
/// header was found, and not only one.
enum RecordedFrames {
    struct Expected: Hashable, CustomTestStringConvertible {
        var file: String
        var frames: Int
        var datagrams: Int
        var segments: Int
        var portSum: Int

        init(_ file: String, _ frames: Int, _ datagrams: Int, _ segments: Int, _ portSum: Int) {
            self.file = file
            self.frames = frames
            self.datagrams = datagrams
            self.segments = segments
            self.portSum = portSum
        }

        var testDescription: String { file }
    }

    static let all: [Expected] = [
        Expected("captures/arkime-stun-ice-testcall.pcap", 108, 108, 0, 8945927),
        Expected("captures/arkime-turn.pcap", 27, 0, 27, 1652103),
        Expected("captures/asterisk-16_bit_48khz_60_fec_rtp.pcapng", 3000, 3000, 0, 87792000),
        Expected("captures/asterisk-40msalaw.pcap", 826, 826, 0, 25637388),
        Expected("captures/asterisk-A_party_g711a.pcap", 5535, 5535, 0, 486581850),
        Expected("captures/asterisk-CARRIER_G711U.pcap", 800, 800, 0, 48281600),
        Expected("captures/asterisk-crash-27382.pcap", 276, 276, 0, 7062292),
        Expected("captures/asterisk-crash.pcap", 128, 128, 0, 384),
        Expected("captures/asterisk-dtmf_2833_4.pcap", 10, 10, 0, 591760),
        Expected("captures/asterisk-g711a.pcap", 236, 236, 0, 1653416),
        Expected("captures/asterisk-opus-2013785496.pcap", 765, 765, 0, 12934620),
        Expected("captures/asterisk-opus-3125894607.pcap", 684, 684, 0, 11716920),
        Expected("captures/asterisk-ssrc1.pcap", 1, 1, 0, 23855),
        Expected("captures/asterisk-ssrc2.pcap", 2, 2, 0, 47710),
        Expected("captures/asterisk-ulaw-2013785496.pcap", 974, 974, 0, 14479484),
        Expected("captures/asterisk-ulaw-3125894607.pcap", 922, 922, 0, 21622744),
        Expected("captures/ebu-125mbps-JPEGXS.pcap", 1085, 1085, 0, 26756100),
        Expected("captures/ebu-ST2022-7-Audio_dropped_in_both.pcap", 374, 374, 0, 4488000),
        Expected("captures/ebu-anc_with_some_rtp_padding.pcap", 50, 50, 0, 4959700),
        Expected("captures/ebu-l16_48000_2ch_1ms.pcap", 10062, 10062, 0, 100700496),
        Expected("captures/ebu-l24_48000_8ch_0125.pcap", 10000, 10000, 0, 550340000),
        Expected("captures/ebu-ttmlRTP-invalid-clock-timing.pcap", 6, 6, 0, 293790),
        Expected("captures/freeswitch-milliwatt.long.pcmu.rtp.pcap", 713, 713, 0, 27553172),
        Expected("captures/freeswitch-milliwatt.pcmu.rtp.pcap", 232, 232, 0, 7735344),
        Expected("captures/hdiniz-sample1_ipv4_amr-nb.pcap", 2463, 2463, 0, 5826058),
        Expected("captures/heplify-ipip0.pcap", 8, 8, 0, 137818),
        Expected("captures/ndpi-FAX-Call-t38-CA-TDM-SIP-FB-1.pcap", 1552, 1552, 0, 44703360),
        Expected("captures/ndpi-false_positives.pcapng", 120, 116, 4, 7264480),
        Expected("captures/ndpi-google_meet.pcapng", 12, 6, 6, 621138),
        Expected("captures/ndpi-gre.pcapng", 1, 1, 0, 10120),
        Expected("captures/ndpi-h323.pcap", 75, 15, 60, 2416354),
        Expected("captures/ndpi-lru_ipv6_caches.pcapng", 88, 79, 9, 4608150),
        Expected("captures/ndpi-mgcp.pcap", 29, 23, 0, 235351),
        Expected("captures/ndpi-raknet.pcap", 66, 66, 0, 6794497),
        Expected("captures/ndpi-rtcp_multiple_pkts_in_the_same_datagram.pcap", 5, 5, 0, 287820),
        Expected("captures/ndpi-rtp.pcapng", 112, 75, 37, 6823734),
        Expected("captures/ndpi-rtsp.pcap", 568, 0, 568, 34665496),
        Expected("captures/ndpi-sip.pcap", 112, 112, 0, 1736162),
        Expected("captures/ndpi-sip_hello.pcapng", 30, 30, 0, 303600),
        Expected("captures/ndpi-skinny.pcap", 200, 135, 61, 8916224),
        Expected("captures/ndpi-skype-conference-call.pcap", 200, 200, 0, 21984800),
        Expected("captures/ndpi-stun_classic.pcap", 22, 22, 0, 1518176),
        Expected("captures/ndpi-stun_dtls_rtp.pcapng", 102, 39, 63, 5616645),
        Expected("captures/ndpi-stun_dtls_rtp_unidir.pcapng", 43, 43, 0, 3229798),
        Expected("captures/ndpi-stun_google_meet.pcapng", 362, 362, 0, 20480050),
        Expected("captures/ndpi-stun_signal.pcapng", 460, 407, 0, 29205227),
        Expected("captures/ndpi-stun_wa_call.pcapng", 591, 590, 0, 31426622),
        Expected("captures/ndpi-stun_zoom.pcapng", 70, 70, 0, 4204290),
        Expected("captures/ndpi-wa_video.pcap", 781, 648, 133, 48326612),
        Expected("captures/ndpi-wa_voice.pcap", 736, 298, 432, 45938564),
        Expected("captures/ndpi-whatsapp_login_call.pcap", 1253, 832, 409, 71933383),
        Expected("captures/ndpi-zoom.pcap", 781, 318, 457, 44619573),
        Expected("captures/ndpi-zoom_p2p.pcapng", 763, 710, 0, 59197597),
        Expected("captures/packetnet-ipv6_rtcp1.pcap", 1, 1, 0, 46008),
        Expected("captures/packetnet-ipv6_rtcp2.pcap", 1, 1, 0, 46006),
        Expected("captures/packetnet-ipv6_rtp.pcap", 1, 1, 0, 46004),
        Expected("captures/pcpp-sdp.pcap", 1, 1, 0, 10120),
        Expected("captures/pcpp-sip_reqs.pcap", 4, 4, 0, 36453),
        Expected("captures/rtpproxy-DLT_NULL.a.rtp.pcap", 600, 600, 0, 14608098),
        Expected("captures/rtpproxy-G723_1.a.rtp.pcap", 392, 392, 0, 11679248),
        Expected("captures/rtpproxy-G723_1.o.rtp.pcap", 392, 392, 0, 11679248),
        Expected("captures/rtpproxy-alice_srtp.pcap", 1556, 1556, 0, 71669360),
        Expected("captures/rtpproxy-alice_srtp_out.pcap", 1556, 1556, 0, 68205704),
        Expected("captures/rtpproxy-bob_srtp.pcap", 1564, 1564, 0, 68556376),
        Expected("captures/rtpproxy-bob_srtp_out.pcap", 1562, 1562, 0, 71945720),
        Expected("captures/rtpproxy-c1.a.rtp.pcap", 1192, 1192, 0, 115409440),
        Expected("captures/rtpproxy-call1_g722_srtp.a.rtp.pcap", 1168, 1168, 0, 54842272),
        Expected("captures/rtpproxy-call1_g722_srtp.o.rtp.pcap", 1172, 1172, 0, 55030088),
        Expected("captures/rtpproxy-dtmf.pcap", 196, 196, 0, 10252410),
        Expected("captures/rtpproxy-dups.a.rtp.pcap", 384, 384, 0, 35107584),
        Expected("captures/rtpproxy-lost.a.rtp.pcap", 244, 244, 0, 23628472),
        Expected("captures/rtpproxy-lost.o.rtp.pcap", 246, 246, 0, 23400012),
        Expected("captures/rtpproxy-rtcp.a.pcap", 236, 236, 0, 1653416),
        Expected("captures/rtpproxy-rtcp.o.pcap", 230, 230, 0, 923222),
        Expected("captures/rtpproxy-sess6.a.rtp.pcap", 2546, 2546, 0, 199015728),
        Expected("captures/rtpproxy-srtp1.a.rtp.pcap", 239, 239, 0, 3776678),
        Expected("captures/rtpproxy-srtp1.o.rtp.pcap", 251, 246, 0, 5863164),
        Expected("captures/rtpproxy-weird.a.rtp.pcap", 3864, 3864, 0, 285402768),
        Expected("captures/rtpproxy-weird.o.rtp.pcap", 1273, 1273, 0, 126724604),
        Expected("captures/sipp-dtmf_2833_1.pcap", 10, 10, 0, 591760),
        Expected("captures/sipp-dtmf_2833_pound.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_0.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_2.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_3.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_5.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_6.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_7.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_8.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_9.pcap", 10, 10, 0, 591760),
        Expected("captures/siptester-dtmf_2833_star.pcap", 10, 10, 0, 591760),
        Expected("captures/sngrep-aaa.pcap", 691, 590, 57, 3230844),
        Expected("captures/sngrep-ipip.pcap", 4, 0, 4, 152732),
        Expected("captures/sngrep-ipv6frag.pcap", 34, 32, 0, 803904),
        Expected("captures/str0m-h264.pcap", 298, 298, 0, 735762),
        Expected("captures/str0m-h266.pcap", 323, 323, 0, 22812198),
        Expected("captures/suricata-sdp.pcap", 2, 2, 0, 21230),
        Expected("captures/tcpdump-rtp-seg-fault-1.pcapng", 1, 1, 0, 1565),
        Expected("captures/tcpdump-rtp-seg-fault-2.pcapng", 1, 1, 0, 2026),
        Expected("captures/wireshark-sip.pcapng", 6, 6, 0, 56519),
        Expected("captures/zeek-webrtc-stun.pcap", 14, 14, 0, 1323084),
        Expected("captures/zeek-wireshark.pcap", 81, 81, 0, 819720),
        Expected("captures/zoomanalysis-zoom_test.pcap", 64, 64, 0, 4915198),
        Expected("sip/s1-loopback-clean.pcap", 489, 489, 0, 24170847),
        Expected("sip/s10-gst-rtp-only-clean.callee.pcap", 1971, 1967, 0, 20588040),
        Expected("sip/s10-gst-rtp-only-clean.caller.pcap.gz", 1971, 1967, 0, 20588040),
        Expected("sip/s12-linphone-rtcpxr-loss5-jitter20.callee.pcap", 2971, 2939, 0, 41447522),
        Expected("sip/s12-linphone-rtcpxr-loss5-jitter20.caller.pcap.gz", 2953, 2921, 0, 41188688),
        Expected("sip/s3-sipp-10calls-loss2.callee.pcap.gz", 4881, 4845, 0, 239629958),
        Expected("sip/s3-sipp-10calls-loss2.caller.pcap.gz", 4880, 4843, 0, 239530270),
        Expected("sip/s4-busy486.callee.pcap", 3, 3, 0, 30363),
        Expected("sip/s4-busy486.caller.pcap.gz", 3, 3, 0, 30363),
        Expected("sip/s5-baresip-pcma-clean.callee.pcap", 2929, 2922, 0, 96014644),
        Expected("sip/s5-baresip-pcma-clean.caller.pcap.gz", 2929, 2922, 0, 96014644),
        Expected("sip/s6-baresip-pcma-loss5-jitter30.callee.pcap", 2869, 2859, 0, 93781796),
        Expected("sip/s6-baresip-pcma-loss5-jitter30.caller.pcap.gz", 2869, 2859, 0, 93781798),
        Expected("sip/s9-baresip-oneway-audio.callee.pcap", 2948, 2938, 0, 95959516),
        Expected("sip/s9-baresip-oneway-audio.caller.pcap.gz", 1852, 1849, 0, 60336362),
    ]
}
