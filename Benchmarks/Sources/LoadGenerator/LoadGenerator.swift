import ArgumentParser
import Foundation
import NIOCore
import NIOPosix

/// Posts the reports of many calls over some connections, and prints what came back and when as one line of JSON.
///
/// Every connection has calls of its own and sends the next report when the one before it is answered, so that the
/// reports of a call come in order. Without a rate the next goes out at once; with one it goes out when it is due, and
/// its latency counts from then: a server that stalls is not spared the requests that it kept from being sent.
@main
struct LoadGenerator: ParsableCommand {
    @Option(help: "Port of the server on the loopback address.")
    var port: Int
    @Option(help: "A folder; each file in it is a call, each line of it the body of a report.")
    var bodies: String
    @Option(help: "Calls that go on at the same time.")
    var calls = 1_000
    @Option(help: "Connections.")
    var connections = 64
    @Option(help: "Reports a second, evenly; 0 for as many as are answered.")
    var rate = 0.0
    @Option(help: "Seconds of which nothing is counted.")
    var warmUp = 2.0
    @Option(help: "Seconds that are counted.")
    var seconds = 10.0
    @Option(help: "Stops after so many reports, whatever the time; 0 for no such limit.")
    var reports = 0
    @Option(help: "Of each of the calls, and of those before it, so many reports were sent before.")
    var skip = 0
    @Option(help: "What the names of the calls begin with.")
    var name = "bench"
    @Flag(help: "Bodies were compressed with gzip.")
    var gzip = false

    func run() throws {
        let sequences = try BodySequences(folder: bodies, isCompressed: gzip)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let record = LatencyRecord(
            start: .now() + .nanoseconds(Int64(warmUp * 1e9)),
            end: .now() + .nanoseconds(Int64((warmUp + seconds) * 1e9)), limit: reports)
        let interval = rate > 0 ? TimeAmount.nanoseconds(Int64(Double(connections) / rate * 1e9)) : nil
        let begin = NIODeadline.now()
        let channels = try (0..<connections).map { number in
            let work = CallWork(
                sequences: sequences, name: "\(name)-\(number)",
                calls: calls / connections + (number < calls % connections ? 1 : 0), skip: skip)
            let pace = interval.map {
                Pace(next: begin + .nanoseconds($0.nanoseconds * Int64(number) / Int64(connections)), interval: $0)
            }
            return try ClientBootstrap(group: loop)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            Connection(work: work, record: record, pace: pace))
                    }
                }
                .connect(host: "127.0.0.1", port: port).wait()
        }
        for channel in channels { try channel.closeFuture.wait() }
        print(try loop.submit { record.summary }.wait())
        try group.syncShutdownGracefully()
    }
}

/// When a connection sends.
struct Pace {
    var next: NIODeadline
    var interval: TimeAmount
}
