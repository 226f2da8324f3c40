import CallModel
import Foundation
import PacketCapture
import Testing

@testable import sidetone

/// What `sidetone capture` makes of a file of settings and of the environment.
@Suite struct CaptureSettingsTests {
    private func settings(
        flags: [GivenFlag?] = [], _ environment: [String: String] = [:], file: String = "",
        reading captures: [String] = []
    ) throws -> CaptureSettings {
        let file = try ConfigurationFile(path: "sensor.yaml", data: Data(file.utf8))
        let read = try SettingsReader(flags: flags.compactMap(\.self), environment: environment, file: file).read()
        return CaptureSettings(read, reading: captures)
    }

    private static let file = """
        database: /var/lib/calls.sqlite
        keep: {calls: 7}
        capture:
          interface: eth0
          filter: udp
          user: nobody
          observer: rack7
          buffer-mib: 64
          snap-length: 200
          promiscuous: no
          immediate: yes
          snapshot-seconds: 9
          summary-seconds: 0
          post: https://collector.example/v1/wire
          token-file: /etc/token
          flush-seconds: 3
        """

    @Test func `a file says all that flags can say`() throws {
        let settings = try settings(file: Self.file)
        var options = LiveOptions()
        options.filter = "udp"
        options.isPromiscuous = false
        options.isImmediate = true
        options.bufferBytes = 64 << 20
        options.snapLength = 200
        #expect(
            settings.sensor
                == SensorSettings(
                    source: .interface("eth0", options), probe: ProbeOptions(name: "rack7", snapshotSeconds: 9),
                    user: "nobody", summarySeconds: nil))
        let address = try #require(CollectorAddress(argument: "https://collector.example"))
        #expect(settings.destination == .collector(address, tokenFile: "/etc/token", authorities: nil))
        #expect(settings.flushSeconds == 3)
        #expect(settings.retention == Retention(calls: 7, days: nil))
    }

    @Test func `variables go before the file, flags before both`() throws {
        let variables = ["SIDETONE_CAPTURE_OBSERVER": "b", "SIDETONE_CAPTURE_POST": "http://10.0.0.5:8080"]
        let flag = GivenFlag(Settings.captureInterface, "eth1", name: "--interface")
        let settings = try settings(flags: [flag], variables, file: Self.file)
        #expect(settings.sensor?.sourceName == "eth1")
        #expect(settings.sensor?.probe.name == "b")
        let address = try #require(CollectorAddress(argument: "http://10.0.0.5:8080"))
        #expect(settings.destination == .collector(address, tokenFile: "/etc/token", authorities: nil))
    }

    @Test func `a flag for the database goes before an address to post to, a line of the file does not`() throws {
        let flag = GivenFlag(Settings.database, "here.sqlite")
        #expect(try settings(flags: [flag], file: Self.file).destination == .database("here.sqlite"))
        #expect(try settings(file: "database: x.sqlite\ncapture.interface: any").destination == .database("x.sqlite"))
    }

    @Test func `a capture file is read though an interface is set`() throws {
        let settings = try settings(file: Self.file, reading: ["a.pcap", "b.pcap"])
        #expect(settings.sensor?.source == .files(["a.pcap", "b.pcap"], filter: "udp"))
        #expect(settings.sensor?.isLive == false)
    }

    @Test func `nothing is set without a file: no interface, text for people, a database here`() throws {
        let settings = try settings()
        #expect(settings.sensor == nil)
        #expect(settings.destination == .database("calls.sqlite"))
        #expect(settings.log.format == .text)
        #expect(settings.flushSeconds == 15)
        #expect(try self.settings(["SIDETONE_LOG_FORMAT": "json"]).log.format == .json)
    }

    @Test(arguments: [
        ("post: ftp://x", #"sensor.yaml, line 2: capture.post is "ftp://x"; expected an address such as"#),
        ("flush-seconds: 0", "sensor.yaml, line 2: capture.flush-seconds is 0; expected a whole number from 1 to 3600"),
        ("observr: x", "sensor.yaml, line 2: there is no setting capture.observr; did you mean capture.observer?"),
    ])
    func `what cannot be is named with its line`(line: String, message: String) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try settings(file: "capture:\n  \(line)\n")
        }
        #expect(error.description.hasPrefix(message), "\(error)")
    }
}
