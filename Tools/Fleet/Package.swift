// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target, as in the package of the recorder.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// The products of the recorder's package that the fleet is made of.
func recorder(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "pulselog") }
}

// A package of its own, so that nobody who records needs libnats.
let package = Package(
    name: "fleet",
    products: [.executable(name: "pulselog-fleet", targets: ["PulselogFleet"])],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "pulselog", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CNATS", pkgConfig: "libnats",
            providers: [.apt(["libnats-dev", "pkg-config"])]),
        .target(
            name: "NATS", dependencies: ["CNATS"] + recorder("JSON"),
            swiftSettings: common + [.strictMemorySafety()]),
        .target(
            name: "Fleet",
            dependencies: recorder(
                "Deciding", "EventStore", "EventStoreLMDB", "Events", "Interchange", "JSON",
                "Projections", "TamperEvidence", "Text"),
            swiftSettings: common),
        // The streams of a study on NATS, and how a command names them.
        .target(
            name: "FleetClient",
            dependencies: [
                "Fleet", "NATS", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + recorder("Text"),
            swiftSettings: common),
        .target(
            name: "FleetPage",
            dependencies: [
                "Fleet", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
                + recorder(
                    "CPage", "Deciding", "EventStore", "Events", "JSON", "Projections", "Words"),
            swiftSettings: common),
        .executableTarget(
            name: "PulselogFleet",
            dependencies: [
                "Fleet", "FleetClient", "FleetPage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
                + recorder(
                    "Deciding", "EventStore", "EventStoreLMDB", "Events", "Interchange", "JSON",
                    "Projections", "TamperEvidence", "Text", "Words"),
            swiftSettings: common),
        // Walkers that were made up, for tests and campaigns.
        .target(name: "Walkers", dependencies: recorder("Events"), swiftSettings: common),
        .executableTarget(
            name: "FleetPlay",
            dependencies: [
                "CNATS", "Fleet", "FleetClient", "NATS", "Walkers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + recorder("Deciding", "EventStore", "Events", "JSON", "Projections"),
            swiftSettings: common),
        .testTarget(
            name: "FleetTests",
            dependencies: ["Fleet", "FleetClient", "FleetPage", "NATS", "Walkers"]
                + recorder(
                    "Deciding", "EventStore", "EventStoreLMDB", "Events", "JSON", "Projections",
                    "TamperEvidence"),
            swiftSettings: common),
    ]
)
