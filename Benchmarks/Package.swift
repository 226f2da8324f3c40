// swift-tools-version: 6.2
import PackageDescription

/// What `Benchmarks/ingest` runs beside the collector, and `Benchmarks/json`. A package of its own: nothing here is part of
/// the product.
let package = Package(
    name: "sidetone-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        // The collector's own, by symbolic link: both servers inflate in the same way.
        .systemLibrary(name: "CZlib"),
        .target(name: "Deflate", dependencies: ["CZlib"]),
        // The collector's reader of JSON, by symbolic links too.
        .target(name: "CallModel"),
        .target(name: "JSONText", dependencies: ["CallModel"]),
        // Reads recorded reports with that and with Foundation.
        .executableTarget(
            name: "ReadJSON",
            dependencies: [
                "CallModel", "JSONText", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Collects a body and answers 202: the most that a server on this framework could do.
        .executableTarget(
            name: "BareServer",
            dependencies: [
                "Deflate",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        // Posts the reports of many calls and measures how long the answers take.
        .executableTarget(
            name: "LoadGenerator",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
    ]
)
