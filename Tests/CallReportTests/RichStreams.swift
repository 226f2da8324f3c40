import CallModel

extension Records {
    /// Both ways of audio and video, not in the order of a report.
    static var richStreams: [StreamSummary] {
        [richSentVideo, richSentAudio, richVideo, richAudio]
    }

    private static var richAudio: StreamSummary {
        var audio = stream(.inbound, .audio, "1234567890")
        (audio.codec, audio.clockRate) = ("audio/opus", 48_000)
        audio.formatParameters = "minptime=10;useinbandfec=1"
        (audio.packets, audio.packetsLost, audio.lossPercent) = (2843, 157, 5.2333)
        (audio.packetsDiscarded, audio.bitrateKilobitsPerSecond) = (12, 38.44)
        (audio.jitterMilliseconds, audio.maximumJitterMilliseconds, audio.roundTripMilliseconds) = (3.21, 11.96, 42.04)
        (audio.concealedPercent, audio.stretchedPercent, audio.jitterBufferMilliseconds) = (9.04, 0.004, 112.4)
        (audio.lossyIntervals, audio.intervals, audio.worstIntervalShareOfLossPercent) = (5, 7, 71.3)
        (audio.silentSeconds, audio.deadSeconds) = (12.25, 5.04)
        audio.metrics = [
            .jitterBufferTargetMilliseconds: 88.4, .nacksPerMinute: 12.2, .retransmittedPercent: 0, .fecPercent: 33.3,
        ]
        return audio
    }

    private static var richVideo: StreamSummary {
        var video = stream(.inbound, .video, "987654321")
        (video.codec, video.clockRate) = ("video/VP8", 90_000)
        (video.packets, video.packetsLost, video.lossPercent) = (12_345, 0, 0)
        video.bitrateKilobitsPerSecond = 1234.6
        (video.jitterMilliseconds, video.framesPerSecond) = (7.5, 23.976)
        (video.frameWidth, video.frameHeight, video.frozenSeconds, video.freezeCount) = (640, 480, 6.3, 2)
        (video.resumeGapPackets, video.segments) = (37, 2)
        (video.implementation, video.isPowerEfficient, video.scalabilityMode) = ("libvpx", false, "L1T2")
        video.resolutionChanges = 3
        (video.silentSeconds, video.deadSeconds, video.worstIntervalShareOfLossPercent) = (nil, 0.5, 100)
        video.metrics = [
            .nacksPerMinute: 0.4, .pictureLossesPerMinute: 0.52, .retransmittedPercent: 1.26,
            .framesDroppedPercent: 2.5, .decodeMilliseconds: 3.14, .frameIntervalVariation: 0.31,
        ]
        return video
    }

    private static var richSentAudio: StreamSummary {
        var sent = stream(.outbound, .audio, "55")
        (sent.codec, sent.packets, sent.roundTripMilliseconds) = ("audio/opus", 3000, 41.7)
        sent.formatParameters = richAudio.formatParameters
        return sent
    }

    private static var richSentVideo: StreamSummary {
        var picture = stream(.outbound, .video, "56")
        (picture.codec, picture.packets, picture.layer) = ("video/H264", 9000, "high")
        (picture.implementation, picture.isPowerEfficient) = ("ExternalEncoder", true)
        picture.metrics = [.encodeMilliseconds: 7.77]
        return picture
    }

    static var richTransport: TransportSummary {
        var transport = TransportSummary()
        (transport.tlsVersion, transport.dtlsRole) = ("FEFD", "client")
        transport.dtlsCipher = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        transport.srtpCipher = "AES_CM_128_HMAC_SHA1_80"
        (transport.receivedKilobitsPerSecond, transport.sentKilobitsPerSecond) = (512.3, 498.4)
        (transport.leastAvailableKilobitsPerSecond, transport.meanAvailableKilobitsPerSecond) = (300, 812.4)
        (transport.availableBitrateDrops, transport.answeredChecksPercent) = (2, 100)
        (transport.messagesSent, transport.messagesReceived) = (12, 9)
        (transport.playoutDelayMilliseconds, transport.synthesizedPercent) = (42.04, 0.2)
        transport.videoAfterAudioMilliseconds = -35.4
        return transport
    }
}
