"""Web applications that report their calls, and a collector that answers as it is told."""

import gzip
import http.server
import json
import pathlib
import threading
import time

REPORTER = pathlib.Path(__file__).resolve().parents[2] / "Dashboards" / "Web" / "reporter.js"


class Server:
    """A server on a free port of this machine, as long as the block lasts."""

    def __init__(self, handler):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        # Browsers hang up as they like.
        self._server.handle_error = lambda *_: None
        # Pages need a secure context for cameras: that is https, or this name.
        self.address = f"http://localhost:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class Application(Server):
    """A web application of one page, of an origin of its own."""

    def __init__(self):
        app = self
        self.page = ""

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = app.page.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(Handler)

    def reporting_to(self, address, **attributes):
        """The page loads the reporter of a collector, with data attributes."""
        given = "".join(f' data-{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        self.page = f'<!doctype html><title>app</title><script src="{address}/reporter.js"{given}></script>'
        return self.address + "/"


class ScriptedCollector(Server):
    """Takes what is posted and answers as `answers` says, one after another: (status, headers, body) or a status;
    "cut" closes the connection. Then everything is taken."""

    def __init__(self):
        collector = self
        self.answers = []
        self.posts = []
        self.arrived = threading.Condition()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self._answer(200, {"Content-Type": "text/javascript"}, REPORTER.read_text())

            def do_OPTIONS(self):
                self._answer(204, {"Access-Control-Allow-Headers": "Authorization, Content-Type, Content-Encoding"})

            def do_POST(self):
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                answer = collector.note(self.path, dict(self.headers), raw)
                if answer == "cut":
                    self.close_connection = True
                    self.connection.close()
                    return
                status, headers, body = answer if isinstance(answer, tuple) else (answer, {}, "")
                self._answer(status, headers, body)

            def _answer(self, status, headers, body=""):
                self.send_response(status)
                self.send_header("Access-Control-Allow-Origin", self.headers.get("Origin", "*"))
                self.send_header("Access-Control-Expose-Headers", "Retry-After")
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        super().__init__(Handler)

    def note(self, path, headers, raw):
        is_compressed = headers.get("Content-Encoding") == "gzip"
        lines = [json.loads(line) for line in (gzip.decompress(raw) if is_compressed else raw).splitlines()]
        with self.arrived:
            answer = self.answers.pop(0) if self.answers else 202
            self.posts.append(
                {"path": path, "headers": headers, "lines": lines, "answer": answer, "time": time.monotonic(),
                 "length": len(raw), "isCompressed": is_compressed})
            self.arrived.notify_all()
        if answer == 202:
            return 202, {"Content-Type": "application/json"}, '{"accepted": 1, "refused": []}'
        return answer

    def wait(self, condition, seconds=15):
        """Waits until the posts meet a condition."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: condition(self.posts), seconds), [
                (post["answer"], [line["type"] for line in post["lines"]]) for post in self.posts]
        return self.posts

    def taken(self):
        """Every line that was taken, in the order in which it came."""
        with self.arrived:
            return [line for post in self.posts if post["answer"] == 202 for line in post["lines"]]


# Two connections in one page, joined without a server between them. Gives {a, b}.
CONNECT = """
window.connect = async (a, b, media) => {
  a.onicecandidate = ({candidate}) => b.addIceCandidate(candidate)
  b.onicecandidate = ({candidate}) => a.addIceCandidate(candidate)
  // What nobody plays the engine does not decode.
  a.ontrack = b.ontrack = ({track}) => {
    const element = document.createElement(track.kind)
    element.autoplay = true
    element.srcObject = new MediaStream([track])
    document.body.append(element)
  }
  const stream = await navigator.mediaDevices.getUserMedia(media)
  for (const track of stream.getTracks()) {
    a.addTrack(track, stream)
    b.addTrack(track, stream)
  }
  await a.setLocalDescription(await a.createOffer())
  await b.setRemoteDescription(a.localDescription)
  await b.setLocalDescription(await b.createAnswer())
  await a.setRemoteDescription(b.localDescription)
}
"""

# Stands in for a connection, for what cannot be brought about between two real ones: its states are set by the test.
FAKE = """
window.FakeConnection = class extends EventTarget {
  signalingState = 'stable'
  iceGatheringState = 'new'
  iceConnectionState = 'new'
  connectionState = 'new'
  currentLocalDescription = null
  currentRemoteDescription = null
  path = new EventTarget()
  getReceivers() { return [{transport: {iceTransport: this.path}}] }
  async getStats() { return new Map([['P', {id: 'P', type: 'peer-connection', timestamp: Date.now()}]]) }
  close() { this.signalingState = 'closed'; return 'closed it' }
  set(name, value) { this[name] = value; this.dispatchEvent(new Event(name.toLowerCase().replace('state', 'statechange'))) }
  offer() { this.currentLocalDescription = {type: 'offer'}; this.set('signalingState', 'have-local-offer') }
  answer() { this.currentRemoteDescription = {type: 'answer'}; this.set('signalingState', 'stable') }
  candidate(type) { this.dispatchEvent(Object.assign(new Event('icecandidate'), {candidate: type && {type}})) }
  move(local) {
    this.path.getSelectedCandidatePair = () => ({local})
    this.path.dispatchEvent(new Event('selectedcandidatepairchange'))
  }
}
"""
