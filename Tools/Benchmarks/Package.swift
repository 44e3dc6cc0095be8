// swift-tools-version: 6.2

import PackageDescription

/// Settings of every Swift target, as in the package that is measured.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "benchmarks",
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "pulselog", path: "../..")
    ],
    targets: [
        // The yardstick: C on liblmdb, and those who keep events one by one. SwiftPM builds C with
        // -O2; the best C deserves -O3, for which it wants the word unsafe. Nobody depends on this
        // package, so nobody inherits it.
        .target(
            name: "CReference",
            cSettings: [.unsafeFlags(["-O3", "-std=c11", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [
                .linkedLibrary("lmdb"), .linkedLibrary("rocksdb"), .linkedLibrary("sqlite3"),
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CReference",
                .product(name: "Clocks", package: "pulselog"),
                .product(name: "Deciding", package: "pulselog"),
                .product(name: "Events", package: "pulselog"),
                .product(name: "EventStore", package: "pulselog"),
                .product(name: "EventStoreLMDB", package: "pulselog"),
                .product(name: "Projections", package: "pulselog"),
                .product(name: "Recording", package: "pulselog"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "BenchmarksTests",
            dependencies: [
                "Benchmarks", "CReference", .product(name: "Events", package: "pulselog"),
                .product(name: "EventStore", package: "pulselog"),
                .product(name: "EventStoreLMDB", package: "pulselog"),
            ],
            swiftSettings: common),
    ]
)
