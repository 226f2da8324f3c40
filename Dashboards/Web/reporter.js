// Reports the WebRTC calls of a web page to Sidetone: what getStats() says every 10 s, and how each call comes about
// and ends. It throws nothing into the page, changes nothing of what its connections do, and keeps at most a million
// characters. How to use it and what is sent: docs/reporters.md.
//
// Served without comments and indentation (WebFile.swift), for which comments stand on lines of their own.
//
//   <script src="https://collector.example/reporter.js" data-token="sdt_…"></script>
//   Sidetone.report(peerConnection, {callId})
(() => {
  'use strict'
  // Characters, while the collector cannot be reached.
  const mostWaiting = 1e6
  // Bytes: browsers let 64 KiB in all out of a page that closes.
  const mostLeaving = 60_000
  // Milliseconds between two tries, and where the collector asks for more.
  const longestPause = 60_000
  const longestWait = 600_000
  const secrets = ['base64Certificate', 'usernameFragment']

  // The data attributes of the script. A page may change them: a token that expires, for example.
  const script = document.currentScript
  const settings = {interval: 10, collector: script?.src && new URL('.', script.src).href, ...script?.dataset}

  // Whatever goes wrong in here is no trouble of the page.
  const quietly = work => (...given) => {
    try {
      const result = work(...given)
      result?.catch?.(() => {})
      return result
    } catch {}
  }
  const on = (target, name, work) => target.addEventListener(name, quietly(work))

  // --- Time, in milliseconds since 1970. The clock of the machine may be set back, and calls would fall apart; that of the page
  // may stand still while the machine sleeps. What is further on is right.

  let time = 0
  let seen = 0
  const now = () => Math.round((time = Math.max(Date.now(), time - seen + (seen = performance.now()))))

  // --- Lines that wait for the collector, oldest first.

  // {text, isReport, isLeaving}
  let waiting = []
  // Characters: collectors take 1 MiB unless they are told otherwise.
  let mostInBatch = 250_000
  let dropped = 0
  // In a row.
  let failures = 0
  let isSending, hasWarned, timer

  const remove = lines => (waiting = waiting.filter(line => !lines.includes(line)))

  const keep = event => {
    const text = JSON.stringify(event, (name, value) => (secrets.includes(name) ? undefined : value))
    // Longer than all that may wait: it would take everything else with it, and go itself.
    if (text.length > mostWaiting) return void (dropped += 1)
    waiting.push({text, isReport: 'statistics' in event})
    // The oldest report goes first: later ones have its counters, too.
    while (waiting.map(line => line.text).join('').length > mostWaiting) {
      remove([waiting.find(line => line.isReport) ?? waiting[0]])
      dropped += 1
    }
    sendIn(1000)
  }

  const sendIn = pause => (timer ??= setTimeout(send, pause))

  const send = quietly(async () => {
    timer = undefined
    if (isSending || !waiting.length) return
    let room = mostInBatch
    const batch = waiting.filter((line, index) => (room -= line.text.length) >= 0 || !index)
    isSending = true
    const pause = await post(batch).catch(() => backOff())
    isSending = false
    // What was told meanwhile waits as long.
    if (pause) timer = clearTimeout(timer)
    if (waiting.length) sendIn(pause)
  })

  // Twice as long each time, and not all pages at once.
  const backOff = seconds => {
    const pause = Math.min(longestPause, 1000 * 2 ** failures++) * (1 + Math.random()) / 2
    return Math.max(pause, Math.min(longestWait, 1000 * (seconds || 0)) * (1 + Math.random() / 4))
  }

  // Resolves to when to send what is left, in ms. There is one address only: the browser has asked before whether this
  // page may post there, and need not ask when the page closes.
  const post = async (batch, isLeaving = false) => {
    const headers = {'Content-Type': 'text/plain'}
    if (settings.token) headers.Authorization = 'Bearer ' + settings.token
    let body = batch.map(line => line.text).join('\n')
    if (!isLeaving && window.CompressionStream) {
      headers['Content-Encoding'] = 'gzip'
      body = await new Response(new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'))).blob()
    }
    const answer = await fetch(new URL('v1/events', settings.collector.replace(/\/*$/, '/')), {
      method: 'POST', headers, body, keepalive: isLeaving, credentials: 'omit',
      signal: isLeaving ? undefined : AbortSignal.timeout?.(30_000),
    })
    const {status} = answer
    const warn = async () => {
      if (!hasWarned) console.warn(`Sidetone refuses what is reported, ${status}:`, await answer.text())
      hasWarned = true
    }
    // The page may set another token.
    if (status === 401) await warn()
    if (status > 499 || [401, 408, 429].includes(status)) return backOff(+answer.headers.get('Retry-After'))
    failures = 0
    if (status === 413 && batch.length > 1) {
      mostInBatch /= 2
      return 0
    }
    // Taken; or refused, and it would be again.
    remove(batch)
    // But other calls end: what is one too many now goes once more.
    const {refused} = (answer.ok && await answer.json().catch(() => 0)) || {}
    const again = refused?.filter(({reason}) => reason === 'too_many_calls').map(({index}) => batch[index])
    if (again?.length) {
      waiting.unshift(...again)
      return backOff(10)
    }
    if (!answer.ok) {
      dropped += batch.length
      await warn()
    }
    return 0
  }

  // A page that is hidden may never be shown again. What is being sent goes out once more, for the collector knows
  // repeats. Events are small and come first, then the latest reports.
  let roomToLeave = mostLeaving
  const leave = quietly(() => {
    const ranked = [...waiting.filter(line => !line.isReport), ...waiting.filter(line => line.isReport).reverse()]
    let length = 0
    const batch = ranked.filter(line => {
      const more = new Blob([line.text]).size + 1
      if (line.isLeaving || length + more > roomToLeave) return false
      length += more
      return (line.isLeaving = true)
    })
    if (!batch.length) return
    roomToLeave -= length
    post(batch, true).catch(() => {}).finally(() => {
      roomToLeave += length
      for (const line of batch) line.isLeaving = false
    })
  })

  // --- Calls. One may have several connections, to send and to receive for example.

  const calls = new Map()

  class Call {
    // Connections that are not closed.
    open = 0
    told = new Set()
    early = []

    constructor(id, observer) {
      this.id = id
      this.observer = observer
    }

    // Until it is known which end of the call this is, what is told waits.
    tell(action, type, more) {
      const event = {action, type, callId: this.id, time: now(), source: 'sidetone-web', ...more}
      if (this.role) keep({observer: this.observer ?? this.role, ...event})
      else if (this.early.length < 100) this.early.push(event)
    }

    tellOnce(action, type, more) {
      const key = action === 'iceTimeout' ? action : type
      if (!this.told.has(key)) this.tell(action, type, more)
      this.told.add(key)
    }

    begin(role) {
      if (this.role) return
      this.role = role
      for (const {action, type, ...more} of this.early.splice(0)) this.tell(action, type, more)
    }

    end(more) {
      if (!this.isOver) {
        this.begin('client')
        this.tell('callState', 'ENDED', more)
      }
      this.isOver = true
      for (const [key, call] of calls) if (call === this) calls.delete(key)
    }

    static of({callId = settings.callId ?? randomID(), observer = settings.observer}) {
      const key = JSON.stringify([callId, observer])
      if (!calls.has(key)) calls.set(key, new Call(callId, observer))
      return calls.get(key)
    }
  }

  const randomID = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), word => word.toString(16)).join('-')

  // --- Connections.

  let labels = 0

  const watch = (connection, options, since) => {
    const label = `${++labels}`
    // Its address of this device, by kind of path.
    const leftFrom = {}
    let call, clock, hasPath, connectionId, lostAt, hasRelay, isHalfOver, isSampling, isOver

    const itsCall = () => {
      if (!call) (call = Call.of(options)).open += 1
      return call
    }

    const tellICE = (type, more) => itsCall().tell('iceState', type, {connectionId, ...more})

    const sample = quietly(async () => {
      if (isSampling || !call || connection.signalingState === 'closed') return
      isSampling = true
      const time = now()
      const report = await connection.getStats().finally(() => (isSampling = false))
      call.tell('rtpStatistics', 'getRTPStatistics', {time, connectionId: label, statistics: [...report.values()]})
    })

    const finish = quietly(more => {
      if (isOver) return
      isOver = true
      clearInterval(clock)
      sample()
      if (call && !--call.open) call.end(more)
      // The call goes on over others: what this one interrupted is over.
      else if (connectionId && !hasPath) tellICE('iceConnected', {detail: {isOver}})
    })

    const begin = (role, isLate) => {
      const isFirst = !itsCall().role
      call.begin(role)
      const poll = () => (connection.signalingState === 'closed' ? finish() : sample())
      clock ??= setInterval(quietly(poll), 1000 * Math.min(1e6, Math.max(1, +settings.interval || 10)))
      if (!isFirst || (isLate && !options.startedAt)) return
      const time = options.startedAt ?? since ?? now()
      call.tell('callMetric', role === 'caller' ? 'callCreate' : 'incomingCall', {time, userAgent: navigator.userAgent})
    }

    const answered = () => {
      if (call.role === 'caller') call.tellOnce('callMetric', 'callAnswerReceived')
      else call.tellOnce('callState', 'IN_CALL')
      // Bundled media have one path; others are rare, and their statistics tell of them.
      const path = (connection.getReceivers()[0] ?? connection.sctp)?.transport?.iceTransport
      if (!path || path === leftFrom.path) return
      leftFrom.path = path
      on(path, 'selectedcandidatepairchange', () => moved(path.getSelectedCandidatePair()?.local))
    }

    // The path may change without the network: from IPv4 to IPv6, from relayed to direct.
    const moved = ({type, address, relatedAddress} = {}) => {
      const base = type === 'host' ? address : relatedAddress
      const kind = type + /:/.test(base)
      if (base && leftFrom[kind] && leftFrom[kind] !== base) {
        call.tell('ipChange', 'ipChangeStarted', {time: lostAt ?? now()})
        call.tell('ipChange', 'ipChangeEnded')
      }
      leftFrom[kind] = base
      lostAt = undefined
    }

    on(connection, 'negotiationneeded', () => (since ??= now()))
    on(connection, 'signalingstatechange', () => {
      const state = connection.signalingState
      if (state === 'have-local-offer') begin('caller')
      if (state === 'have-remote-offer') begin('callee')
      if (state === 'have-remote-pranswer') call.tellOnce('callState', 'SESSION_PROGRESS')
      // An offer that was taken back ends there, too, but without a description of the far end.
      if (state === 'stable' && connection.currentRemoteDescription) answered()
    })

    // An app that waits only so long for candidates says how long: it goes on after half of it if it has a relay.
    const patience = 1000 * (options.iceTimeout ?? settings.iceTimeout)
    const cutOff = isWholeOver => {
      isHalfOver = true
      if (!isOver && (hasRelay || isWholeOver)) call.tellOnce('iceTimeout', hasRelay ? 'iceOneRelay' : 'iceNoRelay')
    }
    on(connection, 'icecandidate', ({candidate}) => {
      hasRelay ||= candidate?.type === 'relay'
      if (isHalfOver) cutOff()
    })
    on(connection, 'icegatheringstatechange', () => {
      const state = connection.iceGatheringState
      if (state === 'complete') itsCall().tellOnce('iceTimeout', 'iceNormal')
      if (state !== 'gathering' || !patience || itsCall().told.has('callConfig')) return
      call.tellOnce('callConfig', 'callConfig', {detail: {ICECollectionTimeout: patience / 1000}})
      setTimeout(quietly(cutOff), patience / 2)
      setTimeout(quietly(cutOff), patience, true)
    })

    on(connection, 'iceconnectionstatechange', () => {
      const state = connection.iceConnectionState
      const isUp = state === 'connected' || state === 'completed'
      const isDown = state === 'failed' || (state === 'disconnected' && hasPath)
      // Named where the collector is told of its first path: else it would count as never connected.
      if (isUp) hasPath ?? (connectionId = label)
      if (isUp && !hasPath) tellICE('iceConnected')
      if (isDown && hasPath !== false) tellICE('iceDisconnected', {time: lostAt = now()})
      if (isUp || isDown) hasPath = isUp
    })
    on(connection, 'connectionstatechange', () => {
      if (connection.connectionState === 'failed') itsCall().tell('error', 'connectionFailed')
    })

    on(connection, 'track', ({track}) => {
      on(track, 'unmute', () => call.tellOnce('media', 'onRemoteMediaStream'))
      on(track, 'ended', () => connection.signalingState === 'closed' && finish())
    })

    // No event tells of close(), and afterwards there are no statistics.
    const {close} = connection
    const value = function () {
      finish()
      return close.apply(this, arguments)
    }
    Reflect.defineProperty(connection, 'close', {value, writable: true, configurable: true})

    // The call is under way already: what came before is not known.
    const {signalingState, currentRemoteDescription} = connection
    const description = connection.currentLocalDescription ?? connection.localDescription
    if (description || signalingState !== 'stable') begin(description?.type === 'offer' ? 'caller' : 'callee', true)
    if (currentRemoteDescription) {
      call.told.add('callAnswerReceived').add('IN_CALL')
      hasPath = ['connected', 'completed'].includes(connection.iceConnectionState)
      answered()
    }

    return {
      options,
      handle: {
        event: quietly((action, type, more) => itsCall().tell(action, type, more)),
        end: quietly(more => {
          itsCall()
          finish(more)
        }),
      },
    }
  }

  // --- What pages use.

  const watched = new WeakMap()

  const report = (connection, options) => {
    const nothing = {event() {}, end() {}}
    return quietly(() => {
      if (!watched.has(connection)) watched.set(connection, watch(connection, {...options}, now()))
      const {options: known, handle} = watched.get(connection)
      // A connection that was watched from the start may be given its name until the call begins.
      Object.assign(known, options)
      return handle
    })() ?? nothing
  }

  quietly(() => {
    if (settings.watch !== 'all') return
    window.RTCPeerConnection = new Proxy(window.RTCPeerConnection, {
      construct(target, given, by) {
        const connection = Reflect.construct(target, given, by)
        quietly(() => watched.set(connection, watch(connection, {})))()
        return connection
      },
    })
  })()

  for (const [name, value] of [['offline', false], ['online', true]]) {
    on(window, name, () => calls.forEach(call => call.tell('network', 'setNetworkReachable', {value})))
  }
  on(document, 'visibilitychange', () => document.hidden && leave())
  on(window, 'pagehide', ({persisted}) => {
    if (!persisted) calls.forEach(call => call.end({statusCode: 9901, reason: 'the page was closed'}))
    leave()
  })

  const figures = () => ({waiting: waiting.length, dropped})
  window.Sidetone = {report, settings, figures}
})()
