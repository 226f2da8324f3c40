import Deflate

/// Entries that are sent together, after they are no longer added to.
struct SpoolSegment {
    /// Counts up from segment to segment; the oldest is sent first.
    let number: Int
    /// Entries in it; 0 while a file of lines from an earlier process cannot be read.
    var count: Int
    /// What it takes where it lies.
    var bytes: Int
    var place: Place

    enum Place {
        /// As lines in a file, as they were added.
        case loose
        /// As lines in memory, for the disk would not have them.
        case lines([[UInt8]])
        /// As the body of a request, in a file.
        case packed
        /// As the body of a request, in memory.
        case body([UInt8])
    }

    /// What is kept of it in memory.
    var bytesInMemory: Int {
        switch place {
        case .loose, .packed: 0
        case .lines, .body: bytes
        }
    }

    /// Whether it must still become the body of a request.
    var isPacked: Bool {
        switch place {
        case .loose, .lines: false
        case .packed, .body: true
        }
    }

    // MARK: Names of files

    static let looseEnding = ".lines"
    static let packedEnding = ".gz"

    static func looseName(_ number: Int) -> String {
        "\(number)" + looseEnding
    }

    /// The file of a packed segment: its name says how many entries it has.
    static func packedName(_ number: Int, count: Int) -> String {
        "\(number)-\(count)" + packedEnding
    }

    /// The number and count in a name of a packed file; `nil` where it is no such name.
    static func packed(named name: String) -> (number: Int, count: Int)? {
        guard name.hasSuffix(packedEnding) else { return nil }
        let parts = name.dropLast(packedEnding.count).split(separator: "-").map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], isPossible(number), isPossible(count)
        else {
            return nil
        }
        return (number, count)
    }

    /// The number in a name of a loose file; `nil` where it is no such name.
    static func loose(named name: String) -> Int? {
        guard name.hasSuffix(looseEnding), let number = Int(name.dropLast(looseEnding.count)), isPossible(number) else {
            return nil
        }
        return number
    }

    /// Whatever lies in the folder, numbers are counted up from those of its names, and added.
    private static func isPossible(_ number: Int) -> Bool { (0..<1 << 40).contains(number) }
}

/// Entries on their way, as the body of a request.
struct SpoolBatch: Hashable, Sendable {
    /// The segment that is confirmed when they have been taken.
    let number: Int
    /// Entries in it.
    let count: Int
    /// JSON Lines, compressed with gzip.
    let body: [UInt8]

    init(number: Int, lines: [[UInt8]]) {
        self.init(
            number: number, count: lines.count,
            body: Gzip.deflate(Array(lines.joined(separator: [UInt8(ascii: "\n")])), level: 1))
    }

    init(number: Int, count: Int, body: [UInt8]) {
        self.number = number
        self.count = count
        self.body = body
    }

    /// The entries; none where the body is damaged.
    var lines: [[UInt8]] {
        // What lies in the folder was written by this class; a segment is a fraction of this.
        let text = (try? Gzip.content(of: body, maximumBytes: 16 << 20)) ?? []
        return text.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}
