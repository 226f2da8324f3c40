import CallModel

/// Concludes from what a page did with its connections what happened to its call.
///
/// | in the dump | event |
/// |---|---|
/// | ICE becomes `connected` or `completed`, or the whole connection `connected` | `iceConnected` |
/// | ICE or the whole connection becomes `disconnected` or `failed` | `iceDisconnected` |
/// | the answer to an offer of this end is applied, the first time | `callAnswerReceived` |
/// | all connections of the page were closed, and nothing follows | `ENDED` |
///
/// Nothing in a dump says when the user placed the call: there is no `callCreate`.
struct DumpEvents {
    private var connections: [Name: Course] = [:]
    private var pages: [String: Page] = [:]
    private var answeredPages: Set<String> = []

    private struct Name: Hashable {
        var page: String
        var connection: ConnectionID
    }

    private struct Course {
        var hasOffered = false
        var isConnected: Bool?
        var closedAt: Timestamp?
    }

    /// The connections of a page.
    private struct Page {
        /// So many are not closed.
        var open = 0
        /// When the last one was closed; `nil` while none was.
        var lastClosed: Timestamp?

        mutating func note(_ course: Course, before: Course?) {
            if course.closedAt == nil { open += 1 }
            if let before, before.closedAt == nil { open -= 1 }
            if let closed = course.closedAt { lastClosed = max(lastClosed ?? closed, closed) }
        }
    }

    /// Something a page did or was told.
    struct Entry {
        /// What it is called in the dump, `on` left out, in lower case.
        var name: String
        var value: JSONValue
        var page: String
        var connection: ConnectionID
        var time: Timestamp?
        /// Where in the file it stands.
        var index: Int

        init(name: String, value: JSONValue, page: String, connection: ConnectionID, time: Timestamp?, index: Int) {
            let name = name.lowercased()
            self.name = name.hasPrefix("on") ? String(name.dropFirst(2)) : name
            self.value = value
            self.page = page
            self.connection = connection
            self.time = time
            self.index = index
        }
    }

    /// Takes the next entry of a connection.
    mutating func take(_ entry: Entry, into assembly: inout ImportAssembly) {
        let name = Name(page: entry.page, connection: entry.connection)
        let before = connections[name]
        var course = before ?? Course()
        switch entry.name {
        case "createoffer", "createofferonsuccess": course.hasOffered = true
        case "setlocaldescription":
            if Self.descriptionType(entry.value) == "offer" { course.hasOffered = true }
        case "setremotedescription":
            if Self.descriptionType(entry.value) == "answer", course.hasOffered { takeAnswer(entry, into: &assembly) }
        case "iceconnectionstatechange", "connectionstatechange":
            takeState(Self.state(entry.value), of: &course, entry, into: &assembly)
        case "close", "stop": course.closedAt = course.closedAt ?? entry.time
        default: break
        }
        connections[name] = course
        pages[entry.page, default: Page()].note(course, before: before)
        noteEnd(of: entry, into: &assembly)
    }

    private mutating func takeState(
        _ state: String, of course: inout Course, _ entry: Entry, into assembly: inout ImportAssembly
    ) {
        switch state {
        case "connected", "completed":
            if course.isConnected != true { add("iceState", "iceConnected", entry, into: &assembly) }
            course.isConnected = true
            course.closedAt = nil
        case "disconnected", "failed":
            if course.isConnected != false { add("iceState", "iceDisconnected", entry, into: &assembly) }
            course.isConnected = false
        case "closed": course.closedAt = course.closedAt ?? entry.time
        default: break
        }
    }

    private mutating func takeAnswer(_ entry: Entry, into assembly: inout ImportAssembly) {
        guard answeredPages.insert(entry.page).inserted else { return }
        add("callMetric", "callAnswerReceived", entry, into: &assembly)
    }

    private func add(_ action: String, _ type: String, _ entry: Entry, into assembly: inout ImportAssembly) {
        guard let time = entry.time else { return assembly.note(Self.timelessNote) }
        var event = CallEvent(time: time, receivedAt: time, action: action, type: type)
        if entry.connection != .only { event.members["peerConnectionId"] = .string(entry.connection.rawValue) }
        assembly.add(event, ofPage: entry.page, index: entry.index)
    }

    private static let timelessNote = "changes of state without a time that can be read were left out"

    private func noteEnd(of entry: Entry, into assembly: inout ImportAssembly) {
        guard let page = pages[entry.page], page.open == 0, let last = page.lastClosed else {
            return assembly.setEnd(nil, ofPage: entry.page, index: entry.index)
        }
        let event = CallEvent(time: last, receivedAt: last, action: "callState", type: "ENDED")
        assembly.setEnd(event, ofPage: entry.page, index: entry.index)
    }

    // MARK: Values

    /// A state, which is text, JSON text of it, or in old dumps `ICEConnectionStateConnected`.
    private static func state(_ value: JSONValue) -> String {
        let text = (value.text ?? "").filter { $0 != "\"" }.lowercased()
        let prefix = "iceconnectionstate"
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }

    /// `type` of a session description, which is an object, JSON text of it, or in old dumps `type: answer, sdp: …`.
    private static func descriptionType(_ value: JSONValue) -> String? {
        if let type = value.members?["type"]?.text { return type }
        // But for the marks of JSON the two texts begin alike.
        let words = (value.text ?? "").prefix(64).filter { !$0.isWhitespace && $0 != "{" && $0 != "\"" }
        guard words.hasPrefix("type:") else { return nil }
        return String(words.dropFirst("type:".count).prefix { $0.isASCII && $0.isLowercase })
    }
}
