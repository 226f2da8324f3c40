import Foundation
import TestSupport
import Testing

@testable import CallReporter

@Suite struct SpoolTests {
    private static func entry(_ number: Int, size: Int = 0) throws -> ReportEntry {
        try ReportEntry([
            "action": "a", "type": "b", "n": .whole(Int64(number)), "x": .text(String(repeating: "x", count: size)),
        ])
    }

    /// Everything that waits, in the order in which it is sent.
    private static func drain(_ spool: Spool) -> [Int] {
        var numbers: [Int] = []
        while let batch = spool.next() {
            #expect(batch == spool.next(), "the same until it is confirmed")
            #expect(batch.count == batch.lines.count)
            numbers += batch.lines.compactMap { line in
                ((try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any])?["n"] as? Int
            }
            spool.confirm(batch)
        }
        return numbers
    }

    private static func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test func `entries leave in the order they came, and no file stays behind`() throws {
        try withFolder { folder in
            let spool = Spool(folder: folder, limits: .init(bytesInSegment: 200))
            #expect(spool.next() == nil)
            for number in 0..<100 { spool.add(try Self.entry(number)) }
            #expect(spool.figures == .init(waiting: 100))
            #expect(Self.drain(spool) == Array(0..<100))
            #expect(spool.figures == .init())
            #expect(Self.names(folder) == ["lock"])
        }
    }

    @Test func `what was added is there for the next process, whenever this one ends`() throws {
        try withFolder { folder in
            var left: [Int] = []
            var next = 0
            var random = RandomSource(seed: 7)
            for _ in 0..<60 {
                // Nothing is closed or written at the end: the object goes away as a process does that is killed.
                let spool = Spool(folder: folder, limits: .init(bytesInSegment: 300))
                #expect(spool.figures == .init(waiting: left.count))
                for _ in 0..<Int.random(in: 0...12, using: &random) {
                    spool.add(try Self.entry(next))
                    left.append(next)
                    next += 1
                }
                if Bool.random(using: &random) { spool.pack() }
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    guard let batch = spool.next() else { break }
                    if Bool.random(using: &random) {
                        spool.confirm(batch)
                        left.removeFirst(batch.count)
                    }
                }
            }
            #expect(Self.drain(Spool(folder: folder)) == left)
        }
    }

    @Test func `a process that ended while it compressed doubles nothing and loses nothing`() throws {
        try withFolder { folder in
            let files = URL(filePath: folder)
            do {
                let spool = Spool(folder: folder)
                for number in 0..<3 { spool.add(try Self.entry(number)) }
            }
            let loose = try Data(contentsOf: files.appending(path: "1.lines"))
            do {
                let spool = Spool(folder: folder)
                spool.pack()
                #expect(Self.names(folder) == ["1-3.gz", "lock"])
            }
            // Both are there, and the part of a third.
            try loose.write(to: files.appending(path: "1.lines"))
            try Data([1, 2]).write(to: files.appending(path: "2-9.gz.part"))
            let spool = Spool(folder: folder)
            #expect(Self.names(folder) == ["1-3.gz", "lock"])
            #expect(Self.drain(spool) == [0, 1, 2])
        }
    }

    @Test func `a file that is gone or damaged costs what was in it`() throws {
        try withFolder { folder in
            do {
                let spool = Spool(folder: folder, limits: .init(bytesInSegment: 1))
                for number in 0..<3 { spool.add(try Self.entry(number)) }
                spool.pack()
            }
            #expect(Self.names(folder) == ["1-1.gz", "2-1.gz", "3-1.gz", "lock"])
            let spool = Spool(folder: folder)
            try FileManager.default.removeItem(atPath: folder + "/1-1.gz")
            try Data().write(to: URL(filePath: folder + "/2-1.gz"))
            #expect(Self.drain(spool) == [2])
            #expect(spool.figures == .init(dropped: 2))
        }
    }

    /// A folder lies in the place of the file for a while: it cannot be read, and not by root either.
    private static func whileUnreadable(_ path: String, _ body: () throws -> Void) throws {
        let files = FileManager.default
        try files.moveItem(atPath: path, toPath: path + "-aside")
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        try body()
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: path + "-aside", toPath: path)
    }

    @Test func `a file that cannot be read for now holds up nothing, and is sent when it can`() throws {
        try withFolder { folder in
            let spool = Spool(folder: folder, limits: .init(bytesInSegment: 1))
            for number in 0..<3 { spool.add(try Self.entry(number)) }
            spool.pack()
            try Self.whileUnreadable(folder + "/1-1.gz") {
                #expect(Self.drain(spool) == [1, 2])
                let reason = "read \(folder)/1-1.gz: Is a directory"
                #expect(spool.figures == .init(waiting: 1, unread: reason))
                spool.add(try Self.entry(3))
                #expect(Self.drain(spool) == [3])
                #expect(spool.figures == .init(waiting: 1, unread: reason))
            }
            #expect(Self.drain(spool) == [0])
            #expect(spool.figures == .init())
            #expect(Self.names(folder) == ["lock"])
        }
    }

    @Test func `lines of an earlier process that cannot be read for now are not given up`() throws {
        try withFolder { folder in
            for number in 0..<3 { Spool(folder: folder).add(try Self.entry(number)) }
            #expect(Self.names(folder) == ["1.lines", "2.lines", "3.lines", "lock"])
            var spool: Spool?
            try Self.whileUnreadable(folder + "/2.lines") {
                spool = Spool(folder: folder)
                #expect(spool?.figures == .init(waiting: 2, unread: "read \(folder)/2.lines: Is a directory"))
                #expect(spool.map(Self.drain) == [0, 2])
            }
            #expect(spool.map(Self.drain) == [1])
            #expect(Self.names(folder) == ["lock"])
        }
    }

    @Test func `names of files that no reporter gave are passed over`() throws {
        try withFolder { folder in
            let line = try Self.entry(1).line
            try LineFile(addingTo: folder + "/\(Int.max).lines").add(line)
            for name in ["7-\(Int.max).gz", "8-\(Int.max).gz", "-1.lines", "x.lines", "1-2-3.gz"] {
                try Data(SpoolBatch(number: 7, lines: [line]).body).write(to: URL(filePath: folder + "/" + name))
            }
            let spool = Spool(folder: folder)
            #expect(spool.figures.waiting == 0)
            spool.add(try Self.entry(2))
            #expect(Self.drain(spool) == [2])
        }
    }

    @Test func `the oldest give way, but not those on their way`() throws {
        try withFolder { folder in
            let spool = Spool(folder: folder, limits: .init(mostBytes: 1_000, bytesInSegment: 100))
            spool.add(try Self.entry(0, size: 100))
            let sent = spool.next()
            for number in 1..<50 { spool.add(try Self.entry(number, size: 100)) }
            let figures = spool.figures
            #expect(figures.waiting + figures.dropped == 50 && figures.waiting < 9)
            let rest = Self.drain(spool)
            #expect(rest == [0] + Array((51 - figures.waiting)..<50))
            #expect(sent?.count == 1)
        }
    }

    @Test func `compressing makes room for ten times as much`() throws {
        try withFolder { folder in
            let spool = Spool(folder: folder, limits: .init(mostBytes: 50_000, bytesInSegment: 10_000))
            for number in 0..<400 {
                spool.add(try Self.entry(number, size: 1_000))
                spool.pack()
            }
            #expect(spool.figures == .init(waiting: 400))
        }
    }

    @Test func `of two with one folder the second keeps in memory, within its limit`() throws {
        try withFolder { folder in
            let first = Spool(folder: folder)
            let second = Spool(folder: folder, limits: .init(mostBytesInMemory: 2_000, bytesInSegment: 500))
            #expect(second.figures.trouble?.hasPrefix("lock \(folder)/lock: ") == true)
            first.add(try Self.entry(0))
            for number in 1...100 { second.add(try Self.entry(number, size: 100)) }
            let figures = second.figures
            #expect(figures.waiting + figures.dropped == 100 && (10...25).contains(figures.waiting))
            #expect(Self.drain(second) == Array((101 - figures.waiting)...100))
            #expect(Self.drain(first) == [0])
        }
    }

    @Test(arguments: ["/dev/null/x", "/proc/x"])
    func `without a folder everything is in memory`(folder: String) throws {
        let spool = Spool(folder: folder)
        #expect(spool.figures.trouble?.contains(folder) == true)
        for number in 0..<10 { spool.add(try Self.entry(number)) }
        #expect(Self.drain(spool) == Array(0..<10))
    }

    @Test func `while the disk has no room entries are in memory, and then on disk again`() throws {
        try withFolder { folder in
            let spool = Spool(folder: folder, limits: .init(bytesInSegment: 1))
            spool.add(try Self.entry(0))
            // Nothing can be made under these names.
            for name in ["2.lines", "2-1.gz.part"] {
                try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
            }
            spool.add(try Self.entry(1))
            #expect(spool.figures.trouble?.hasPrefix("open \(folder)/2.lines: ") == true)
            spool.pack()
            spool.add(try Self.entry(2))
            #expect(spool.figures == .init(waiting: 3))
            #expect(Self.drain(spool) == [0, 1, 2])
        }
    }
}
