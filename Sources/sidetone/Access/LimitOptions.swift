import ArgumentParser
import ClientStats
import Collector
import CollectorServer

/// How much clients may send.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Most bytes of a body, as sent and decompressed.", valueName: "bytes"))
    var maxBodyBytes = IngestLimits().bodyBytes

    @Option(help: ArgumentHelp("Most bytes of a file for /v1/import, as sent and decompressed.", valueName: "bytes"))
    var maxImportBytes = IngestLimits().importBytes

    @Option(help: ArgumentHelp("How many times its size a body may decompress to.", valueName: "n"))
    var maxRatio = IngestLimits().decompressionRatio

    @Option(help: ArgumentHelp("Most levels of arrays and objects in each other.", valueName: "n"))
    var maxDepth = BodyLimits().depth

    @Option(help: ArgumentHelp("Most statistics objects or events of a body.", valueName: "n"))
    var maxObjects = BodyLimits().objects

    @Option(help: ArgumentHelp("Most bytes of one text.", valueName: "bytes"))
    var maxStringBytes = BodyLimits().stringBytes

    @Option(help: ArgumentHelp("Most bytes of a callId or any other identifier.", valueName: "bytes"))
    var maxIdBytes = BodyLimits().identifierBytes

    @Option(help: ArgumentHelp("Most connections at a time; further ones wait.", valueName: "n"))
    var maxConnections = IngestLimits().connections

    @Option(help: ArgumentHelp("Close connections that bring no request for so long.", valueName: "seconds"))
    var idleSeconds = IngestLimits().idleSeconds

    @Option(help: ArgumentHelp("Requests a second of one token, or of one address; 0 for any number.", valueName: "n"))
    var maxRequests = IngestLimits().requestsPerSecond

    @Option(help: ArgumentHelp("Most bytes held of bodies that are not stored yet.", valueName: "bytes"))
    var maxWaitingBytes = IngestLimits().bytesInFlight

    @Option(help: ArgumentHelp("Most requests that wait to be stored.", valueName: "n"))
    var maxWaiting = CollectorLimits().waitingSubmissions

    func validate() throws {
        // Readers of nested values call themselves; identifiers are keys of the database.
        for (name, value, range) in [
            ("--max-body-bytes", maxBodyBytes, 1_024...1 << 30),
            ("--max-import-bytes", maxImportBytes, 1_024...1 << 32),
            ("--max-ratio", maxRatio, 1...100_000), ("--max-depth", maxDepth, 8...256),
            ("--max-objects", maxObjects, 1...1_000_000), ("--max-string-bytes", maxStringBytes, 256...1 << 30),
            ("--max-id-bytes", maxIdBytes, 16...4_096), ("--max-connections", maxConnections, 1...1_000_000),
            ("--idle-seconds", idleSeconds, 1...3_600), ("--max-requests", maxRequests, 0...1_000_000),
            ("--max-waiting-bytes", maxWaitingBytes, 1_024...1 << 36), ("--max-waiting", maxWaiting, 1...1_000_000),
        ] where !range.contains(value) {
            throw ValidationError(
                "\(name) is \(value); expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// What the options say.
    var limits: IngestLimits {
        IngestLimits(
            bodyBytes: maxBodyBytes, decompressionRatio: maxRatio, importBytes: maxImportBytes,
            bytesInFlight: max(maxWaitingBytes, maxBodyBytes),
            contents: BodyLimits(
                depth: maxDepth, objects: maxObjects, stringBytes: maxStringBytes, identifierBytes: maxIdBytes),
            connections: maxConnections, idleSeconds: idleSeconds, requestsPerSecond: maxRequests)
    }

    /// What the options say of what may wait for the disk.
    var waiting: CollectorLimits {
        CollectorLimits(waitingSubmissions: maxWaiting)
    }
}
