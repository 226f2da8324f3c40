import Foundation
import TestSupport
import Testing

/// What `statsreport FILE` shows of IP addresses.
@Suite struct AddressChoiceTests {
    private static func statsreport(_ words: [String]) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(words, program: "statsreport")
    }

    @Test func `addresses of a capture are cut unless the whole ones are asked for`() async throws {
        let sample = "SampleData/captures/s5-baresip-pcma-clean/capture.pcap.gz"
        let file = SharedData.packageRoot.appending(path: sample).path
        let usual = try await Self.statsreport([file])
        #expect(try await Self.statsreport([file, "--addresses", "cut"]).output == usual.output)
        let json = try await Self.statsreport([file, "--format", "json"])
        #expect(json.output.contains(".0/24:") && !json.output.contains(#/"source" : "\d+\.\d+\.\d+\.\d+:/#))
        let full = try await Self.statsreport([file, "--format", "json", "--addresses", "full"])
        #expect(full.status == 0 && !full.output.contains("/24"))
        // An address and a port, as JSON has them of a stream.
        let cut = full.output.replacing(#/"(\d+\.\d+\.\d+)\.\d+:(\d+)"/#) { "\"\($0.1).0/24:\($0.2)\"" }
        #expect(cut == json.output)
    }

    @Test func `addresses of what a client reported are cut unless the whole ones are asked for`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "report.jsonl")
            try Data(Self.report.utf8).write(to: file)
            let usual = try await Self.statsreport([file.path])
            #expect(usual.status == 0, "\(usual.errors)")
            #expect(usual.output.contains("192.0.2.0/24 to 198.51.100.0/24"), "\(usual.output)")
            let full = try await Self.statsreport([file.path, "--addresses", "full"])
            #expect(full.output.contains("192.0.2.7 to 198.51.100.9"), "\(full.output)")
        }
        #expect(try await Self.statsreport(["x.pcap", "--addresses", "hash"]).status == 64)
    }

    private static let report = """
        {"callId":"c","role":"caller","time":1778000000000,"statistics":[\
        {"id":"T","type":"transport","timestamp":1778000000000,"selectedCandidatePairId":"P"},\
        {"id":"P","type":"candidate-pair","timestamp":1778000000000,"localCandidateId":"L","remoteCandidateId":"R",\
        "state":"succeeded","nominated":true,"transportId":"T"},\
        {"id":"L","type":"local-candidate","timestamp":1778000000000,"candidateType":"host","address":"192.0.2.7",\
        "port":40000,"protocol":"udp"},\
        {"id":"R","type":"remote-candidate","timestamp":1778000000000,"candidateType":"host",\
        "address":"198.51.100.9","port":40002,"protocol":"udp"},\
        {"id":"I","type":"inbound-rtp","kind":"audio","ssrc":1,"timestamp":1778000000000,"packetsReceived":10,\
        "packetsLost":0}]}

        """
}
