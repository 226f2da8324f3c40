import Foundation
import Testing

@testable import CallReporter

@Suite struct LineFileTests {
    private static let lines = ["first", "", "the third, longer than the others: \u{0}é", "last"].map(\.bytes)

    private func write(_ lines: [[UInt8]], to path: String) throws {
        let file = try LineFile(addingTo: path)
        for line in lines { try file.add(line) }
    }

    @Test func `what was added is read, also after opening again`() throws {
        try withFolder { folder in
            let path = folder + "/a"
            try write(Array(Self.lines.prefix(2)), to: path)
            try write(Array(Self.lines.dropFirst(2)), to: path)
            #expect(try LineFile.lines(of: path) == Self.lines)
        }
    }

    @Test func `a torn tail costs the torn line, wherever it was torn, and nothing that comes after`() throws {
        try withFolder { folder in
            let path = folder + "/a"
            try write(Self.lines, to: path)
            let whole = try Data(contentsOf: URL(filePath: path))
            for length in 0...whole.count {
                try whole.prefix(length).write(to: URL(filePath: path))
                // A line is whole without its end, too: the next one begins with one.
                let ends = Self.lines.indices.filter { index in
                    Self.lines[...index].reduce(0) { $0 + $1.count + 10 } - 1 <= length
                }
                let kept = Array(Self.lines.prefix(ends.count))
                #expect(try LineFile.lines(of: path) == kept, "cut at \(length)")
                try write(["new".bytes], to: path)
                #expect(try LineFile.lines(of: path) == kept + ["new".bytes], "added after a cut at \(length)")
            }
        }
    }

    @Test func `a damaged byte costs one line, two if it was the end between them`() throws {
        try withFolder { folder in
            let path = folder + "/a"
            try write(Self.lines, to: path)
            let whole = try Data(contentsOf: URL(filePath: path))
            for index in whole.indices {
                for byte in [UInt8(0), 0x0A, 0xFF] where whole[index] != byte {
                    var damaged = whole
                    damaged[index] = byte
                    try damaged.write(to: URL(filePath: path))
                    let left = try LineFile.lines(of: path)
                    let lost = Self.lines.filter { !left.contains($0) }
                    #expect(lost.count <= (whole[index] == 0x0A ? 2 : 1), "byte \(index) is \(byte)")
                    #expect(left == Self.lines.filter { left.contains($0) }, "byte \(index) is \(byte)")
                }
            }
        }
    }

    @Test func `a file that cannot be is named`() throws {
        try withFolder { folder in
            let error = #expect(throws: FileError.self) { try LineFile(addingTo: folder) }
            #expect(error?.description == "open \(folder): Is a directory")
        }
    }
}
