"""A call between two native WebRTC engines (libwebrtc without a browser, PyPI `wrtc`), as an app with an SDK has it: what
its callbacks hand over, at both ends."""

import array
import asyncio
import json
import math
import time

import webrtc
from webrtc.models import rtc_stats

RATE = 48_000
FRAME = RATE // 100


class NativeReports:
    """What the engine itself prints, before it is made W3C objects: an array, with times in microseconds."""

    def __enter__(self):
        self._original = rtc_stats.RTCStatsReport._from_native
        self._last = None

        def note(cls, report, receivers=()):
            self._last = report
            return self._original.__func__(cls, report, receivers)

        rtc_stats.RTCStatsReport._from_native = classmethod(note)
        return self

    def __exit__(self, *_):
        rtc_stats.RTCStatsReport._from_native = self._original

    async def of(self, connection):
        await connection.get_stats()
        return self._last


def sound(number):
    """10 ms of something that comes and goes like words do."""
    loudness = 0.5 + 0.5 * math.sin(number / 15)
    samples = (
        int(8_000 * loudness * math.sin(2 * math.pi * 220 * (number * FRAME + index) / RATE)) for index in range(FRAME))
    return array.array("h", samples).tobytes()


async def speak(track):
    """Writes sound to a track in real time."""
    writer = track.writable.get_writer()
    start = time.monotonic()
    for number in range(1_000_000):
        await writer.write(webrtc.AudioData(webrtc.AudioDataInit(
            format="s16", sample_rate=RATE, number_of_frames=FRAME, number_of_channels=1, timestamp=number * 10_000,
            data=sound(number))))
        await asyncio.sleep(max(0, start + (number + 1) / 100 - time.monotonic()))


class End:
    """One end: `tell` gets each event as a map, and each report with its statistics as text."""

    def __init__(self, call, tell, reports):
        self.connection = webrtc.RTCPeerConnection()
        self._call = call
        self._tell = tell
        self._reports = reports
        self.gathered = asyncio.Event()
        self.connected = asyncio.Event()
        self.connection.on("iceconnectionstatechange", lambda _: self._ice())
        self.connection.on("icegatheringstatechange", lambda _: self._gathering())

    def tell(self, action, type, **others):
        # As Kandy's SDK does: the time is text.
        self._tell({"action": action, "type": type, "callId": self._call, "time": str(round(time.time() * 1000)), **others})

    async def report(self):
        self._tell({"callId": self._call, "statistics": await self._reports.of(self.connection)})

    def _ice(self):
        if self.connection.ice_connection_state in ("connected", "completed") and not self.connected.is_set():
            self.connected.set()
            self.tell("iceState", "iceConnected")

    def _gathering(self):
        if self.connection.ice_gathering_state == "complete" and not self.gathered.is_set():
            self.gathered.set()
            self.tell("iceTimeout", "iceNormal")


async def _call(call, seconds, tell_caller, tell_callee, middle):
    webrtc.allow_loopback()
    with NativeReports() as reports:
        caller, callee = End(call, tell_caller, reports), End(call, tell_callee, reports)
        tracks = [webrtc.MediaStreamTrackGenerator("audio") for _ in range(2)]
        for end, track in zip((caller, callee), tracks):
            end.connection.add_track(track)
        speakers = [asyncio.ensure_future(speak(track)) for track in tracks]
        caller.tell("callMetric", "callCreate")
        await caller.connection.set_local_description(await caller.connection.create_offer())
        await caller.gathered.wait()
        caller.tell("callMetric", "callRestSent")
        callee.tell("callMetric", "incomingCall")
        await asyncio.sleep(0.2)
        caller.tell("callMetric", "callRinging")
        await asyncio.sleep(0.5)
        await callee.connection.set_remote_description(caller.connection.local_description)
        await callee.connection.set_local_description(await callee.connection.create_answer())
        await callee.gathered.wait()
        callee.tell("callState", "IN_CALL")
        caller.tell("callMetric", "callAnswerReceived")
        await caller.connection.set_remote_description(callee.connection.local_description)
        await asyncio.wait_for(asyncio.gather(caller.connected.wait(), callee.connected.wait()), 20)
        for part in range(2):
            await asyncio.sleep(seconds / 2)
            for end in (caller, callee):
                await end.report()
            if part == 0:
                middle()
        caller.tell("callState", "ENDED", statusCode=9901, reason="Ended by local user")
        callee.tell("callState", "ENDED", statusCode=9900)
        for speaker in speakers:
            speaker.cancel()
        caller.connection.close()
        callee.connection.close()


def native_call(call, seconds, tell_caller, tell_callee, middle=lambda: None):
    """Makes a call that lasts so long, with a report of each end in its middle and one at its end."""
    asyncio.run(_call(call, seconds, tell_caller, tell_callee, middle))
