import CallModel
import JSONText

/// Reads a file of statistics, part by part.
///
/// What the file is, is recognised by its content. Each part holds a few facts, so that a long file costs no more
/// memory than its bytes. What is made of each format stands in `docs/import.md`.
public struct ImportReader {
    /// What the file was recognised as.
    public let format: ImportFormat
    /// How long the file is.
    public let byteCount: Int
    private var source: any ImportSource
    private var assembly: ImportAssembly
    private var isAtEnd = false

    /// Recognises a file.
    /// - Parameters:
    ///   - bytes: The file, inflated.
    ///   - context: Its `call` names a call that the file does not name, its `observer` one that it does not name.
    ///     `receivedAt` is used for nothing: a fact of a file was received when it says it was made.
    /// - Throws: ``ClientStatsError`` when it is nothing that can be read, and says what it is where that is known.
    public init(_ bytes: [UInt8], in context: ParsingContext) throws(ClientStatsError) {
        let recognised = try ImportRecognition(bytes, limits: context.limits)
        format = recognised.format
        byteCount = bytes.count
        source = recognised.source
        assembly = ImportAssembly(context)
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
                assembly.finish()
            }
            let part = assembly.take()
            if part != ParsedBody() { return part }
        }
        return nil
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
