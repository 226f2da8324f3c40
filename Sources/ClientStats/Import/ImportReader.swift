import CallModel
import JSONText

/// Reads a file of statistics, part by part.
///
/// What the file is, is recognised by its content. Each part holds a few facts, so that not all facts of a long file are held
/// at a time. Beside its bytes are remembered, as its format needs it, where its parts lie, the last report of each connection,
/// or the series of one connection. What is made of each format stands in `docs/import.md`.
public struct ImportReader {
    /// What the file was recognised as.
    public let format: ImportFormat
    /// How long the file is.
    public let byteCount: Int
    private var source: any ImportSource
    private let follower: Int?
    private var assembly: ImportAssembly
    private var isAtEnd = false
    private let limits: BodyLimits
    private var partsRead = 0
    private var partsWithoutFact = 0

    /// Parts that are remembered of a file which cannot be read one after the other.
    static let mostParts = 1_000_000

    /// Recognises a file.
    /// - Parameters:
    ///   - bytes: The file, inflated.
    ///   - context: Its `call` names a call that the file does not name, its `observer` one that it does not name.
    ///     `receivedAt` only tells which times are too far ahead to count from 1970: a fact of a file was received when
    ///     it says it was made.
    /// - Throws: ``ClientStatsError`` when it is nothing that can be read, and says what it is where that is known.
    public init(_ bytes: [UInt8], in context: ParsingContext) throws(ClientStatsError) {
        let recognised = try ImportRecognition(bytes, limits: context.limits)
        format = recognised.format
        byteCount = bytes.count
        source = recognised.source
        follower = recognised.follower
        assembly = ImportAssembly(context)
        limits = context.limits
    }

    /// How many bytes of the file have been read.
    public var bytesRead: Int { isAtEnd ? byteCount : min(source.bytesRead, byteCount) }

    /// What is odd about the file as a whole, as far as it was read; each once, in order of appearance.
    public var notes: [String] { assembly.notes }

    /// Reads the next part.
    /// - Returns: facts and refusals, whose `index` is the line, element or report they stood in; `nil` at the end.
    public mutating func next() -> ParsedBody? {
        while !isAtEnd {
            if !source.read(into: &assembly) {
                isAtEnd = true
                refuseFollower()
                assembly.finish()
            }
            var part = assembly.take()
            partsRead += 1
            if part.submissions.isEmpty { endIfTooMany(&part) }
            if part != ParsedBody() { return part }
        }
        return nil
    }

    /// Says that something follows which is no part of the file's one document.
    private mutating func refuseFollower() {
        guard let follower else { return }
        let words = "what follows \(format) is not read; give it in a file of its own"
        assembly.refuse(Problem(.unrecognised, words), at: BodyPlace(index: partsRead, name: "line \(follower)"))
    }

    /// Counts a part without a fact, and reads no further when it is one too many.
    private mutating func endIfTooMany(_ part: inout ParsedBody) {
        partsWithoutFact += 1
        guard partsWithoutFact > limits.partsWithoutFact, !isAtEnd else { return }
        isAtEnd = true
        assembly.finish()
        part.submissions = assembly.take().submissions
        let problem = Problem.tooMany("parts of the file without a fact", limit: limits.partsWithoutFact)
        part.refusals.append(Refusal(index: partsRead, reason: problem.reason, message: problem.message))
    }

    /// Says that there are more of `what` than ``mostParts``.
    static func tooMany(_ what: String) -> ClientStatsError {
        ClientStatsError(reason: .tooLarge, description: "more than \(mostParts) \(what); import it in parts")
    }
}

/// A file of one format.
protocol ImportSource {
    /// How far it has been read.
    var bytesRead: Int { get }

    /// Reads some more.
    /// - Returns: whether there is more to come.
    mutating func read(into assembly: inout ImportAssembly) -> Bool
}

/// A file in which there is nothing.
struct EmptySource: ImportSource {
    var bytesRead: Int { 0 }

    mutating func read(into assembly: inout ImportAssembly) -> Bool { false }
}
