"""The calls that record.py can make. A plan is a list of steps (seconds, what): a command for the router, or a tuple
(end, function of peer.html, arguments). Seconds count from the first report, or from the start of A's speech."""

FROM_SPEECH = "times count from the start of the speech"
PICTURE = {"width": 320, "height": 240, "frameRate": 15}
# Discontinuous transmission: each end asks the other for it (RFC 7587, 6.1).
USE_DTX = r"s => s.replace(/(a=fmtp:111 [^\r\n]*)/, '$1;usedtx=1')"
SCENARIOS = {}


def add(name, what, net="delay=20", speech="pauses", seconds=60, plan=(), video=None, codecs=None, dtx=False,
        encrypted=True, back=None):
    """`net` is the path from A to B, and from B to A unless `back` is another one."""
    SCENARIOS[name] = dict(
        what=what, net=[f"set A B {net}", f"set B A {back or net}"], speech=speech, seconds=seconds, plan=list(plan),
        video=video, codecs=codecs or {}, munge=USE_DTX if dtx else None,
        flags=[] if encrypted else ["--disable-webrtc-encryption"], snap=110)


def outage(start, end):
    return [(start, "set * * down=1"), (end, "set * * down=0")]


def gaps(*packets):
    return [(5 + 6.2 * index, f"gap * * {count}") for index, count in enumerate(packets)]


def pause(end, kind, how, start, stop):
    return [(start, (end, "pauseStream", kind, how, True)), (stop, (end, "pauseStream", kind, how, False))]


def mute(end, start, stop):
    return [(start, (end, "mute", "audio", True)), (stop, (end, "mute", "audio", False))]


# Speech with pauses: 13.45 to 22.45 s of it is the long pause, 30.70 to 36.95 s the longest stretch of speech.
OUTAGES = [FROM_SPEECH, *outage(15.2, 20.2), *outage(31.2, 36.2)]

add("70-opus-dtx", "Opus with DTX (usedtx=1), speech with pauses, clean", dtx=True)
add("71-opus-dtx-outage", "Opus with DTX, path down 5 s in a pause and 5 s in speech", dtx=True, plan=OUTAGES)
add("72-opus-dtx-loss5", "Opus with DTX, 5 % random loss", net="delay=20 loss=5", dtx=True)
add("73-pcmu-cn", "PCMU with comfort noise (RFC 3389), speech with pauses, clean", codecs={"audio": ["pcmu"]})
add("74-pcmu-cn-outage", "PCMU with comfort noise, path down 5 s in a pause and 5 s in speech",
    codecs={"audio": ["pcmu"]}, plan=OUTAGES)
add("75-stream-pause", "A stops sending audio (replaceTrack) t+12..20 and video (inactive encoding) t+25..33,"
    " B audio (inactive encoding) t+40..48; RTCP goes on",
    speech="speech", video=PICTURE, codecs={"video": "vp8"},
    plan=[*pause("A", "audio", "replaceTrack", 12, 20), *pause("A", "video", "active", 25, 33),
          *pause("B", "audio", "active", 40, 48)])
add("76-stream-pause-jump", "encryption off; A stops sending audio t+12..20 and t+32..40, and its sequence numbers jump"
    " by 30 and by 200 at the resumption: numbers that were never sent",
    speech="speech", encrypted=False,
    plan=[*pause("A", "audio", "active", 12, 20), (17, "jump A B 111 30"),
          *pause("A", "audio", "active", 32, 40), (37, "jump A B 111 200")])
add("77-gaps-42-60", "outages of 42 44 46 48 49 50 51 53 56 60 audio packets (0.84 to 1.2 s) both ways",
    speech="speech", seconds=68, plan=gaps(42, 44, 46, 48, 49, 50, 51, 53, 56, 60))
add("78-oneway-loss10", "audio only, 10 % random loss only from A to B", net="delay=20 loss=10", back="delay=20",
    speech="speech")
add("79-mute", "Opus without DTX; A muted t+15..25, B muted t+30..40", speech="speech",
    plan=[*mute("A", 15, 25), *mute("B", 30, 40)])
add("80-mute-dtx", "Opus with DTX; A muted t+15..25, B muted t+30..40", speech="speech", dtx=True,
    plan=[*mute("A", 15, 25), *mute("B", 30, 40)])
add("81-jitter60-loss2", "audio only, 100 ms with a standard deviation of 60 ms, order kept, 2 % random loss",
    net="delay=100 jitter=60 order=1 loss=2", speech="speech")
add("82-bufferbloat", "path limited to 250 kbit/s with a queue of 1 s", net="delay=20 rate=250 qlen=1000",
    speech="speech", video={"width": 640, "height": 480, "frameRate": 20}, codecs={"video": "vp8"})
add("83-opus-pauses", "Opus without DTX, speech with pauses, clean: what 70-opus-dtx is compared with")
add("84-opus-pauses-outage", "Opus without DTX, path down 5 s in a pause and 5 s in speech", plan=OUTAGES)
add("85-pcmu-loss5", "PCMU, 5 % random loss", net="delay=20 loss=5", speech="speech", codecs={"audio": ["pcmu"]})
add("86-opus-loss15", "Opus and VP8, 15 % random loss", net="delay=20 loss=15", speech="speech", video=PICTURE,
    codecs={"video": "vp8"})
add("87-opus-loss30", "audio only, 30 % random loss from A to B, 2 % in runs of 3 from B to A",
    net="delay=20 loss=30", back="delay=40 loss=2 burst=3", speech="speech")
add("check", "10 s to see that everything works", seconds=10, dtx=True)
