// swift-tools-version: 6.2
import PackageDescription

/// Every target builds with the same rules; warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Targets in which tests spend their time. `Scripts/test` has them optimised, assertions and all, which saves more than it
/// costs; nobody else asks for that, and SwiftPM would refuse such flags in a dependency.
let hot: [SwiftSetting] =
    strict
    + (Context.environment["OPTIMISE_HOT_TARGETS"] == nil ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"])])

/// Targets that read packets: what could go past the end of a buffer must say `unsafe`, and does so in one place.
let packets: [SwiftSetting] = hot + [.strictMemorySafety()]

let package = Package(
    name: "sidetone",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "sidetone", targets: ["sidetone"]),
        .executable(name: "statsreport", targets: ["statsreport"]),
        .library(name: "RTPMeter", targets: ["RTPMeter"]),
        .library(name: "CallReporter", targets: ["CallReporter"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Vocabulary: stable words that everything else speaks. Imports nothing.
        .target(name: "CallModel", swiftSettings: hot),
        // The JSON reader behind one small interface, so that it can be replaced by measurement.
        .target(name: "JSONText", dependencies: ["CallModel"], swiftSettings: hot),
        // Talks to zlib; nobody else sees its C interface.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: hot),
        // Pure: RTP and RTCP bytes in, receiver statistics out. Imports nothing; a product of its own.
        .target(name: "RTPMeter", swiftSettings: packets),
        // Pure: every client's JSON, translated to facts.
        .target(
            name: "ClientStats",
            dependencies: ["CallModel", "JSONText", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: hot),
        // Pure: facts to intervals, scores, latencies. One call at a time.
        .target(name: "CallQuality", dependencies: ["CallModel"], swiftSettings: hot),
        // Pure: renderings of what is stored. Cannot reach the code that computes scores.
        .target(name: "CallReport", dependencies: ["CallModel", "WebPage"], swiftSettings: hot),
        // The files of the built-in page and the reporter for browsers, as constants of the program.
        .target(
            name: "WebPage", path: "Dashboards/Web", resources: [.embedInCode("page"), .embedInCode("reporter.js")],
            swiftSettings: strict),
        // Pure: what every store does alike, whatever keeps its rows.
        .target(name: "StoreParts", dependencies: ["CallModel", "JSONText"], swiftSettings: hot),
        // Talks to SQLite.
        .target(
            name: "SQLiteStore",
            dependencies: [
                "CallModel", "JSONText", "Deflate", "StoreParts", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: hot),
        // Talks to ClickHouse over HTTP.
        .target(
            name: "ClickHouseStore",
            dependencies: [
                "CallModel", "Deflate", "JSONText", "StoreParts",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        // Talks to libpcap: a live interface or a capture file becomes facts.
        .systemLibrary(name: "CPcap", providers: [.apt(["libpcap0.8-dev"]), .brew(["libpcap"])]),
        .target(
            name: "PacketCapture", dependencies: ["CallModel", "CPcap", "Deflate", "RTPMeter"], swiftSettings: packets),
        // Pure but for atomics: what others meter, in the text format of Prometheus. Knows nothing of calls.
        .target(
            name: "PrometheusText", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict),
        // The one road of a sample, and the only actors.
        .target(
            name: "Collector",
            dependencies: [
                "CallModel", "CallQuality",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: hot),
        // Talks HTTP.
        .target(
            name: "CollectorServer",
            dependencies: [
                "CallModel", "Deflate", "ClientStats", "CallReport", "Collector", "WebPage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        // Part of other people's apps: keeps what happens to their calls and posts it. A product of its own; nothing of
        // the server is in it.
        .target(name: "CallReporter", dependencies: ["Deflate"], swiftSettings: strict),
        // Example of an app that reports, and the tests' way to have one that is killed.
        .executableTarget(
            name: "ReportCalls", dependencies: ["CallReporter"], path: "Examples/ReportCalls", swiftSettings: strict),
        // Talks to the standard output and error, which may be full or gone.
        .target(
            name: "StandardStreams",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")], swiftSettings: strict),
        // Program: collects.
        .executableTarget(
            name: "sidetone",
            dependencies: [
                "CallModel", "CallReport", "ClickHouseStore", "ClientStats", "Collector", "CollectorServer", "Deflate",
                "JSONText", "PacketCapture", "PrometheusText", "RTPMeter", "SQLiteStore", "StandardStreams",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict,
            // With glibc's allocator a report costs more the more calls go on (docs/decisions/0014).
            linkerSettings: [.linkedLibrary("jemalloc", .when(platforms: [.linux]))]),
        // Program: reports.
        .executableTarget(
            name: "statsreport",
            dependencies: [
                "CallModel", "CallReport", "ClickHouseStore", "ClientStats", "Collector", "Deflate", "PacketCapture",
                "SQLiteStore", "StandardStreams",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // Tests mirror the targets; TestSupport holds fixtures, goldens and generators.
        .target(
            name: "TestSupport",
            dependencies: [
                "CallModel", "JSONText", "Deflate", "ClientStats", "CallQuality",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "CallModelTests", dependencies: ["CallModel", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "JSONTextTests", dependencies: ["CallModel", "JSONText", "Deflate", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "RTPMeterTests", dependencies: ["RTPMeter", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PacketCaptureTests",
            dependencies: [
                "CallModel", "CallQuality", "Deflate", "JSONText", "PacketCapture", "RTPMeter", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ClientStatsTests",
            dependencies: ["CallModel", "CallQuality", "ClientStats", "Deflate", "JSONText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CallQualityTests",
            dependencies: ["CallModel", "CallQuality", "ClientStats", "Deflate", "JSONText", "TestSupport"],
            exclude: ["EModel/vectors.json"], swiftSettings: strict),
        .testTarget(
            name: "CallReportTests",
            dependencies: ["CallModel", "CallQuality", "CallReport", "ClientStats", "JSONText", "TestSupport"],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(name: "WebPageTests", dependencies: ["WebPage"], swiftSettings: strict),
        .testTarget(
            name: "StoreContractTests",
            dependencies: [
                "CallModel", "CallQuality", "ClickHouseStore", "ClientStats", "Deflate", "JSONText", "SQLiteStore",
                "StoreParts", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ClickHouseStoreTests",
            dependencies: [
                "ClickHouseStore", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CollectorTests",
            dependencies: [
                "CallModel", "CallQuality", "CallReport", "ClickHouseStore", "ClientStats", "Collector", "SQLiteStore",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SidetoneTests",
            dependencies: [
                "sidetone", "CallModel", "Collector", "CollectorServer", "PrometheusText", "SQLiteStore", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PrometheusTextTests",
            dependencies: ["PrometheusText", .product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict),
        .testTarget(
            name: "CallReporterTests", dependencies: ["CallReporter", "Deflate", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CollectorServerTests",
            dependencies: [
                "CallModel", "CollectorServer", "Deflate", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        // Starts the programs as processes and talks to them as clients do.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CallModel", "CallReporter", "JSONText", "Deflate", "ReportCalls", "TestSupport", "sidetone",
                "statsreport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),
    ]
)
