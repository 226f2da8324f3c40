"""reporter.js: what it makes of connections, how it delivers, and that no page suffers from it."""

import gzip
import itertools
import json

import pytest

from apps import CONNECT, FAKE, REPORTER, Application, ScriptedCollector


@pytest.fixture
def scripted():
    with ScriptedCollector() as collector:
        yield collector


@pytest.fixture
def application():
    with Application() as application:
        yield application


@pytest.fixture
def app(browser, application, scripted):
    """Opens a page that loads the reporter: app(token="t"). Fails the test when the page noticed anything of it."""
    contexts, errors = [], []

    def app(**attributes):
        context = browser.new_context()
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.add_init_script(
            "window.unhandled = []; addEventListener('unhandledrejection', e => unhandled.push(String(e.reason)))")
        page.add_init_script(CONNECT + FAKE)
        page.goto(application.reporting_to(scripted.address, **attributes))
        return page

    yield app
    unhandled = [page.evaluate("unhandled") for context in contexts for page in context.pages if not page.is_closed()]
    for context in contexts:
        context.close()
    assert errors == [] and [error for errors in unhandled for error in errors] == []


def told(lines):
    """Events as "action/type", reports left out."""
    return [f"{line.get('action')}/{line.get('type')}" for line in lines if "statistics" not in line]


def test_it_is_small_as_served(samples):
    _, headers, body = samples.request("GET", "/reporter.js", headers={"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip" and len(body) < 4096
    source = [line.strip() for line in REPORTER.read_text().splitlines()]
    code = [line for line in source if line and not line.startswith("//")]
    assert gzip.decompress(body).decode().splitlines() == code


def test_a_call_between_two_connections_is_told_from_both_ends(app, scripted):
    page = app(interval=1)
    page.evaluate("""async () => {
      window.a = new RTCPeerConnection(), window.b = new RTCPeerConnection()
      Sidetone.report(a, {callId: 'c', observer: 'alice'})
      Sidetone.report(b, {callId: 'c', observer: 'bob'})
      await connect(a, b, {audio: true, video: true})
    }""")
    reports = lambda lines: [line for line in lines if line["type"] == "getRTPStatistics"]
    scripted.wait(lambda posts: len(reports(line for post in posts for line in post["lines"])) >= 4)
    states = page.evaluate("""() => {
      const states = []
      for (const connection of [a, b]) {
        connection.getStats = function () {
          states.push(this.signalingState)
          return RTCPeerConnection.prototype.getStats.call(this)
        }
        connection.close()
      }
      return states
    }""")
    scripted.wait(lambda posts: told(line for post in posts for line in post["lines"]).count("callState/ENDED") == 2)
    # close() takes statistics with it. What is asked for just before has the streams; of the path, Chromium may tell no more.
    assert set(states) == {"stable"}
    lines = scripted.taken()
    assert {line["callId"] for line in lines} == {"c"} and {line["source"] for line in lines} == {"sidetone-web"}
    ends = {observer: [line for line in lines if line["observer"] == observer] for observer in ("alice", "bob")}
    common = ["iceTimeout/iceNormal", "iceState/iceConnected", "media/onRemoteMediaStream", "callState/ENDED"]
    assert sorted(told(ends["alice"])) == sorted(["callMetric/callCreate", "callMetric/callAnswerReceived", *common])
    assert sorted(told(ends["bob"])) == sorted(["callMetric/incomingCall", "callState/IN_CALL", *common])
    for end in ends.values():
        times = {line["type"]: line["time"] for line in end}
        assert times["iceConnected"] <= times["onRemoteMediaStream"] <= times["ENDED"]
        *_, earlier, last = [report["statistics"] for report in reports(end)]
        assert {"inbound-rtp", "outbound-rtp"} <= {item["type"] for item in last}
        assert {"candidate-pair", "transport"} <= {item["type"] for item in earlier}
        assert not any("usernameFragment" in item or "base64Certificate" in item for item in last)
        assert len({report["connectionId"] for report in reports(end)}) == 1
    assert all(post["path"] == "/v1/events" for post in scripted.posts)


def test_without_a_call_of_its_own_a_page_reports_all_connections(app, scripted):
    page = app(watch="all", token="sdt_x", interval=1)
    page.evaluate("""async () => {
      window.a = new RTCPeerConnection(), window.b = new RTCPeerConnection()
      await connect(a, b, {audio: true})
      a.close()
      b.close()
    }""")
    posts = scripted.wait(lambda posts: told(line for post in posts for line in post["lines"]).count("callState/ENDED") == 2)
    assert {post["headers"]["Authorization"] for post in posts} == {"Bearer sdt_x"}
    assert {line["observer"] for line in scripted.taken()} == {"caller", "callee"}
    assert len({line["callId"] for line in scripted.taken()}) == 2


def test_connections_of_a_page_are_what_they_were(app):
    page = app(watch="all")
    assert page.evaluate("""async () => {
      const faults = []
      const check = (what, is) => is || faults.push(what)
      const connection = new RTCPeerConnection()
      check('instance', connection instanceof RTCPeerConnection)
      check('prototype', Object.getPrototypeOf(connection) === RTCPeerConnection.prototype)
      check('nothing to be seen', Object.keys(connection).length === 0)
      check('static methods', (await RTCPeerConnection.generateCertificate({name: 'ECDSA', namedCurve: 'P-256'})).expires)
      class Own extends RTCPeerConnection { get own() { return 1 } }
      check('subclass', new Own().own === 1 && new Own() instanceof Own)
      const error = work => { try { work() } catch (error) { return error.name } }
      check('wrong configuration', error(() => new RTCPeerConnection({iceServers: 5})) === 'TypeError')
      check('wrong server', error(() => new RTCPeerConnection({iceServers: [{urls: 'x:y'}]})) === 'SyntaxError')
      check('without new', error(() => RTCPeerConnection()) === 'TypeError')
      let heard = 0
      connection.onsignalingstatechange = () => heard += 1
      connection.addTransceiver('audio')
      await connection.setLocalDescription()
      await new Promise(done => setTimeout(done))
      check('handlers', heard === 1)
      check('close', connection.close() === undefined && connection.signalingState === 'closed')
      check('close again', connection.close() === undefined)
      return faults
    }""") == []


def test_nothing_that_a_page_does_makes_it_throw(app, scripted):
    page = app()
    page.evaluate("""async () => {
      for (const wrong of [undefined, null, 5, 'text', {}, [], Object.freeze({}), new EventTarget()]) {
        const call = Sidetone.report(wrong, wrong)
        call.event('a', 'b')
        call.end()
      }
      const circle = {}
      circle.circle = circle
      const odd = Object.assign(new FakeConnection(), {getStats: () => { throw new Error('no') }})
      const call = Sidetone.report(odd, {callId: 'c'})
      odd.offer()
      call.event('a', 'b', circle)
      call.event()
      call.event('a', 'b', {big: 5n})
      call.event('fine', 'fine')
      call.end()
      call.end()
      call.event('late', 'late')
      const worse = Object.assign(new FakeConnection(), {getStats: () => Promise.reject(new Error('no'))})
      Sidetone.report(Object.freeze(worse), {get callId() { throw new Error('no') }})
      Sidetone.settings.interval = 'often'
      const closed = new RTCPeerConnection()
      closed.close()
      Sidetone.report(closed, {callId: 'closed'})
    }""")
    scripted.wait(lambda posts: "fine/fine" in told(line for post in posts for line in post["lines"]))
    lines = scripted.taken()
    assert told(lines).count("callState/ENDED") >= 1
    # Without a collector, and with one that is no address.
    page.evaluate("""() => {
      Sidetone.settings.collector = 'nowhere:-1'
      Sidetone.report(new FakeConnection(), {callId: 'd'}).end()
      Sidetone.settings.collector = undefined
      Sidetone.report(new FakeConnection(), {callId: 'e'}).end()
    }""")


def test_states_become_events(app, scripted):
    page = app()
    page.evaluate("""async () => {
      const started = []
      const start = (id, options) => {
        const connection = new FakeConnection()
        started.push(Sidetone.report(connection, {callId: id, observer: id, ...options}))
        return connection
      }
      const failing = start('failing')
      failing.offer()
      failing.answer()
      failing.set('iceConnectionState', 'checking')
      failing.set('iceConnectionState', 'failed')
      failing.set('connectionState', 'failed')

      const flapping = start('flapping')
      flapping.offer()
      for (const state of ['connected', 'completed', 'disconnected', 'connected', 'disconnected', 'failed']) {
        flapping.set('iceConnectionState', state)
      }

      // One of two connections, which is closed while it is down.
      const replaced = start('replaced')
      replaced.offer()
      const replacing = start('replaced')
      for (const state of ['connected', 'disconnected']) replaced.set('iceConnectionState', state)
      replacing.set('iceConnectionState', 'connected')
      replaced.close()

      // An offer that is taken back, for the other end offers, too.
      const glare = start('glare')
      glare.offer()
      glare.set('signalingState', 'stable')
      glare.set('signalingState', 'have-remote-offer')
      glare.answer()
      glare.answer()

      const early = start('early', {startedAt: 1700000000000})
      early.offer()
      early.set('signalingState', 'have-remote-pranswer')
      early.answer()

      const late = new FakeConnection()
      late.offer()
      late.answer()
      late.iceConnectionState = 'connected'
      Sidetone.report(late, {callId: 'late', observer: 'late'}).event('a', 'b')
      late.set('iceConnectionState', 'disconnected')

      const own = start('own')
      started.at(-1).event('callMetric', 'callRinging', {time: 5})
      own.offer()
      started.at(-1).end({statusCode: 486})
    }""")
    scripted.wait(lambda posts: "callState/ENDED" in told(line for post in posts for line in post["lines"]))
    lines = scripted.taken()
    of = lambda call: told(line for line in lines if line["callId"] == call)
    assert of("failing") == [
        "callMetric/callCreate", "callMetric/callAnswerReceived", "iceState/iceDisconnected", "error/connectionFailed"]
    assert of("flapping") == ["callMetric/callCreate"] + ["iceState/iceConnected", "iceState/iceDisconnected"] * 2
    ice = [
        (line["type"], line["connectionId"], line.get("detail")) for line in lines
        if line["callId"] == "replaced" and line["action"] == "iceState"]
    (_, first, _), _, (_, second, _), _ = ice
    assert first != second and ice == [
        ("iceConnected", first, None), ("iceDisconnected", first, None), ("iceConnected", second, None),
        ("iceConnected", first, {"isOver": True})]
    assert not any("connectionId" in line for line in lines if line["callId"] == "late")
    assert of("glare") == ["callMetric/callCreate", "callMetric/callAnswerReceived"]
    assert of("early") == ["callMetric/callCreate", "callState/SESSION_PROGRESS", "callMetric/callAnswerReceived"]
    assert next(line["time"] for line in lines if line["callId"] == "early") == 1700000000000
    assert of("late") == ["a/b", "iceState/iceDisconnected"]
    assert of("own") == ["callMetric/callRinging", "callMetric/callCreate", "callState/ENDED"]
    assert {"time": 5, "observer": "own"}.items() <= next(line for line in lines if line["callId"] == "own").items()
    assert next(line for line in lines if line["type"] == "ENDED")["statusCode"] == 486


def test_gathering_that_the_app_cuts_off_is_told_by_what_it_had(app, scripted):
    page = app(ice_timeout=0.2)
    page.evaluate("""async () => {
      const pass = milliseconds => new Promise(done => setTimeout(done, milliseconds))
      const start = (id, type) => {
        const connection = new FakeConnection()
        Sidetone.report(connection, {callId: id, observer: id})
        connection.offer()
        connection.set('iceGatheringState', 'gathering')
        connection.candidate('host')
        if (type) connection.candidate(type)
        return connection
      }
      const normal = start('normal')
      normal.set('iceGatheringState', 'complete')
      start('relay', 'relay')
      start('none', 'srflx')
      const late = start('late')
      const gone = start('gone')
      gone.close()
      await pass(130)
      late.candidate('relay')
      late.set('iceGatheringState', 'complete')
      await pass(150)
      Sidetone.report(new FakeConnection(), {callId: 'end'}).end()
    }""")
    scripted.wait(lambda posts: any(line["callId"] == "end" for post in posts for line in post["lines"]))
    lines = scripted.taken()
    outcome = {line["callId"]: line["type"] for line in lines if line["action"] == "iceTimeout"}
    assert outcome == {"normal": "iceNormal", "relay": "iceOneRelay", "none": "iceNoRelay", "late": "iceOneRelay"}
    assert [line for line in lines if line["action"] == "callConfig"][0]["detail"] == {"ICECollectionTimeout": 0.2}


def test_another_address_of_the_device_is_an_ip_change_and_another_kind_of_path_is_none(app, scripted):
    page = app()
    page.evaluate("""async () => {
      const connection = new FakeConnection()
      const call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      connection.answer()
      connection.move({type: 'host', address: '192.0.2.2'})
      connection.set('iceConnectionState', 'connected')
      connection.move({type: 'host', address: '2001:db8::2'})
      connection.move({type: 'host', address: '192.0.2.2'})
      connection.move({type: 'relay', address: '198.51.100.1', relatedAddress: '203.0.113.1'})
      connection.move({type: 'srflx', address: '203.0.113.1', relatedAddress: undefined})
      connection.set('iceConnectionState', 'disconnected')
      window.lost = Date.now()
      await new Promise(done => setTimeout(done, 50))
      connection.set('iceConnectionState', 'connected')
      connection.move({type: 'host', address: '192.0.2.77'})
      dispatchEvent(new Event('offline'))
      dispatchEvent(new Event('online'))
      call.end()
    }""")
    scripted.wait(lambda posts: "callState/ENDED" in told(line for post in posts for line in post["lines"]))
    lines = [line for line in scripted.taken() if line["action"] in ("ipChange", "network")]
    assert [line["type"] for line in lines] == ["ipChangeStarted", "ipChangeEnded", *["setNetworkReachable"] * 2]
    assert lines[1]["time"] - lines[0]["time"] >= 45 and abs(lines[0]["time"] - page.evaluate("lost")) < 20
    assert [line["value"] for line in lines[2:]] == [False, True]


def test_two_connections_of_a_call_are_one_call(app, scripted):
    page = app()
    page.evaluate("""async () => {
      const [sending, receiving] = [new FakeConnection(), new FakeConnection()]
      Sidetone.report(sending, {callId: 'c'})
      Sidetone.report(receiving, {callId: 'c'})
      sending.offer()
      sending.answer()
      receiving.set('signalingState', 'have-remote-offer')
      receiving.answer()
      sending.close()
      receiving.close()
    }""")
    scripted.wait(lambda posts: "callState/ENDED" in told(line for post in posts for line in post["lines"]))
    lines = scripted.taken()
    assert told(lines) == ["callMetric/callCreate", "callMetric/callAnswerReceived", "callState/ENDED"]
    assert {line["observer"] for line in lines} == {"caller"}
    assert {line["connectionId"] for line in lines if line["action"] == "rtpStatistics"} == {"1", "2"}


def test_a_clock_that_is_set_back_tears_no_call_apart(app, scripted):
    page = app()
    page.evaluate("""() => {
      const wall = Date.now.bind(Date)
      const connection = new FakeConnection()
      const call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      for (const [type, minutes] of [['as it was', 0], ['back', -60], ['further', -61], ['asleep', 5]]) {
        Date.now = () => wall() + 60_000 * minutes
        call.event('clock', type)
      }
    }""")
    scripted.wait(lambda posts: len(posts) == 1)
    times = {line["type"]: line["time"] for line in scripted.taken() if line["action"] == "clock"}
    minutes = {name: (time - times["as it was"]) / 60_000 for name, time in times.items()}
    assert all(isinstance(time, int) for time in times.values())
    assert {name: round(length, 1) for name, length in minutes.items()} == {
        "as it was": 0, "back": 0, "further": 0, "asleep": 5}


def test_what_was_not_taken_is_sent_again_once_and_later_each_time(app, scripted):
    # A connection that was used before a browser tries again by itself.
    unavailable = (503, {"Connection": "close"}, "")
    scripted.answers = [unavailable, "cut", (429, {"Retry-After": "5"}, "")]
    page = app()
    page.evaluate("Sidetone.report(new FakeConnection(), {callId: 'c'}).event('a', 'one'); 0")
    # An end makes known which end of the call it was; until then what is told waits.
    page.evaluate("""() => { const c = new FakeConnection(); window.call = Sidetone.report(c, {callId: 'd'});
      c.offer(); call.event('a', 'two') }""")
    posts = scripted.wait(lambda posts: posts and posts[-1]["answer"] == 202, 40)
    assert [post["answer"] for post in posts] == [unavailable, "cut", (429, {"Retry-After": "5"}, ""), 202]
    pauses = [after["time"] - before["time"] for before, after in itertools.pairwise(posts)]
    for pause, (least, most) in zip(pauses, [(0.5, 1), (1, 2), (5, 6.25)]):
        assert least - 0.05 <= pause <= most + 2, pauses
    assert told(scripted.taken()) == ["callMetric/callCreate", "a/two"]
    assert all(post["isCompressed"] for post in posts)
    # The page has the answer a moment after it was given.
    page.wait_for_function("Sidetone.figures().waiting === 0")
    assert page.evaluate("Sidetone.figures()") == {"waiting": 0, "dropped": 0}


def test_what_is_told_during_a_request_that_fails_does_not_shorten_the_pause(app, scripted):
    scripted.answers = [(429, {"Retry-After": "3"}, "")]
    page = app()
    page.evaluate("""() => {
      const call = Sidetone.report(new FakeConnection(), {callId: 'c', observer: 'o'})
      const send = fetch
      window.fetch = (...given) => {
        call.event('a', 'during')
        return send(...given)
      }
      call.end()
    }""")
    posts = scripted.wait(lambda posts: len(posts) == 2)
    assert posts[1]["time"] - posts[0]["time"] >= 3
    assert told(posts[1]["lines"]) == ["callState/ENDED", "a/during"]


def test_of_what_is_refused_for_now_only_that_is_sent_again(app, scripted):
    refused = [{"index": 0, "reason": "malformed"}, {"index": 2, "reason": "too_many_calls"}]
    scripted.answers = [(202, {}, json.dumps({"accepted": 1, "refused": refused}))]
    page = app()
    page.evaluate("""() => {
      for (const id of ['a', 'b', 'c']) {
        const connection = new FakeConnection()
        Sidetone.report(connection, {callId: id, observer: 'o'})
        connection.offer()
      }
    }""")
    posts = scripted.wait(lambda posts: len(posts) == 2)
    assert [line["callId"] for line in posts[1]["lines"] if "statistics" not in line] == ["c"]
    assert posts[1]["time"] - posts[0]["time"] >= 10
    page.wait_for_function("Sidetone.figures().waiting === 0")


def test_with_a_wrong_token_everything_waits_until_there_is_another(app, scripted):
    scripted.answers = [(401, {}, '{"error": "no such token"}')]
    page = app(token="wrong")
    said = []
    page.on("console", lambda message: message.type == "warning" and said.append(message.text))
    page.evaluate("""() => {
      const send = fetch
      window.fetch = async (...given) => {
        const answer = await send(...given)
        if (answer.status === 401) Sidetone.settings.token = 'right'
        return answer
      }
      Sidetone.report(new FakeConnection(), {callId: 'c'}).end()
    }""")
    posts = scripted.wait(lambda posts: len(posts) == 2)
    assert [post["headers"]["Authorization"] for post in posts] == ["Bearer wrong", "Bearer right"]
    assert posts[0]["lines"] == posts[1]["lines"] != []
    page.wait_for_function("Sidetone.figures().waiting === 0")
    assert page.evaluate("Sidetone.figures()") == {"waiting": 0, "dropped": 0}
    assert len(said) == 1 and "401" in said[0] and "no such token" in said[0]


@pytest.mark.parametrize("status", [403, 422])
def test_what_is_refused_is_not_sent_again_and_the_console_says_so_once(app, scripted, status):
    scripted.answers = [(status, {}, '{"error": "wrong because"}')] * 2
    page = app()
    said = []
    page.on("console", lambda message: message.type == "warning" and said.append(message.text))
    for number in (1, 2, 3):
        page.evaluate("n => Sidetone.report(new FakeConnection(), {callId: 'c' + n}).end()", number)
        scripted.wait(lambda posts: len(posts) == number)
        # An end and a report each time.
        page.wait_for_function("n => Sidetone.figures().waiting === 0 && Sidetone.figures().dropped === 2 * Math.min(n, 2)",
                               arg=number)
    assert [line["callId"] for post in scripted.posts for line in post["lines"]] == ["c1", "c1", "c2", "c2", "c3", "c3"]
    assert len(said) == 1 and str(status) in said[0] and "wrong because" in said[0]


def test_what_is_too_much_for_the_collector_is_sent_in_parts(app, scripted):
    scripted.answers = [413]
    page = app()
    page.evaluate("""() => {
      const connection = new FakeConnection()
      const call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      for (let number = 0; number < 20; number++) call.event('a', 'n' + number, {text: 'x'.repeat(10_000)})
    }""")
    scripted.wait(lambda posts: sum(len(post["lines"]) for post in posts if post["answer"] == 202) == 21)
    assert [len(post["lines"]) for post in scripted.posts] == [21, 13, 8]
    assert [line["type"] for line in scripted.taken()][1:] == [f"n{number}" for number in range(20)]


def test_memory_is_bounded_and_reports_give_way_before_events(app, scripted):
    scripted.answers = ["cut"] * 100
    page = app()
    figures = page.evaluate("""async () => {
      const connection = new FakeConnection()
      const call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      for (let number = 0; number < 30; number++) {
        call.event('rtpStatistics', 'getRTPStatistics', {number, statistics: ['x'.repeat(100_000)]})
        call.event('a', 'n' + number)
      }
      const early = Sidetone.report(new FakeConnection(), {callId: 'nothing known'})
      for (let number = 0; number < 1000; number++) early.event('a', 'b')
      return Sidetone.figures()
    }""")
    assert figures == {"waiting": 1 + 30 + 9, "dropped": 21}
    scripted.answers = []
    scripted.wait(lambda posts: sum(len(post["lines"]) for post in posts if post["answer"] == 202) == 40, 30)
    lines = scripted.taken()
    assert told(lines) == ["callMetric/callCreate"] + [f"a/n{number}" for number in range(30)]
    assert [line["number"] for line in lines if "number" in line] == list(range(21, 30))


def test_what_is_longer_than_all_that_may_wait_costs_nothing_else(app, scripted):
    page = app()
    figures = page.evaluate("""async () => {
      const connection = new FakeConnection()
      const call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      call.event('a', 'long', {text: 'x'.repeat(1_000_000)})
      return Sidetone.figures()
    }""")
    assert figures == {"waiting": 1, "dropped": 1}
    scripted.wait(lambda posts: posts)
    assert told(scripted.taken()) == ["callMetric/callCreate"]


def test_odd_settings_neither_stop_the_reporter_nor_drive_it(app):
    page = app(interval="Infinity")
    counts = page.evaluate("""async source => {
      let count = 0
      const connection = Object.assign(new FakeConnection(), {getStats: async () => { count += 1; return new Map() }})
      Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      await new Promise(done => setTimeout(done, 300))
      // Put into the page itself, where it has no address of its own.
      const script = document.createElement('script')
      script.textContent = source
      delete window.Sidetone
      document.body.append(script)
      return [count, typeof window.Sidetone?.report]
    }""", REPORTER.read_text())
    assert counts == [0, "function"]


@pytest.mark.parametrize("token", [None, "sdt_x"])
def test_a_page_that_closes_leaves_its_last_word(app, scripted, token):
    page = app(**({"token": token} if token else {}))
    page.evaluate("""() => {
      const connection = new FakeConnection()
      window.call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
    }""")
    scripted.wait(lambda posts: posts and posts[-1]["answer"] == 202)
    # The page has read the answer, too: what it does not know to be stored is told again.
    page.wait_for_function("Sidetone.figures().waiting === 0")
    page.evaluate("""() => {
      for (let number = 0; number < 10; number++) {
        call.event('rtpStatistics', 'getRTPStatistics', {number, statistics: ['x'.repeat(15_000)]})
      }
      call.event('a', 'ü'.repeat(2_000))
    }""")
    page.goto("about:blank")
    posts = scripted.wait(lambda posts: "callState/ENDED" in told(line for post in posts for line in post["lines"]))
    last = posts[-1]
    assert not last["isCompressed"] and last["length"] <= 64_000
    # Every event, and of the reports the latest that have room.
    assert told(last["lines"]) == ["a/" + "ü" * 2_000, "callState/ENDED"]
    assert last["lines"][1]["reason"] == "the page was closed" and last["lines"][1]["statusCode"] == 9901
    assert [line["number"] for line in last["lines"] if "number" in line] == [9, 8, 7]


def test_a_page_that_is_only_hidden_goes_on(app, scripted):
    page = app()
    page.evaluate("""() => {
      const connection = new FakeConnection()
      window.call = Sidetone.report(connection, {callId: 'c'})
      connection.offer()
      Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})
      Object.defineProperty(document, 'hidden', {value: true, configurable: true})
      document.dispatchEvent(new Event('visibilitychange'))
    }""")
    posts = scripted.wait(lambda posts: len(posts) == 1)
    assert not posts[0]["isCompressed"] and told(posts[0]["lines"]) == ["callMetric/callCreate"]
    page.wait_for_function("Sidetone.figures().waiting === 0")
    page.evaluate("call.event('a', 'b')")
    scripted.wait(lambda posts: len(posts) == 2)
    assert told(scripted.taken()) == ["callMetric/callCreate", "a/b"]
