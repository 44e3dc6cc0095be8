// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target: Swift 6 mode, the features the code is written against, and no warnings.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Settings of the pure targets and the wrappers of C libraries.
let strict: [SwiftSetting] = common + [.strictMemorySafety()]

/// What computes is optimized in test builds too.
///
/// Tests spend their time there; assertions hold all the same.
let optimized: SwiftSetting = .unsafeFlags(
    ["-O", "-assert-config", "Debug"], .when(configuration: .debug))

/// Whether the tools for studies and measurements are built too, which need more libraries than a
/// recorder, and are of no use to anybody who walks.
let everything = Context.environment["PULSELOG_ALL"] == "1"

let package = Package(
    name: "pulselog",
    products: [
        .executable(name: "pulselog", targets: ["PulselogCLI"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // Pure: bytes to state.
        .target(name: "Decoding", swiftSettings: strict + [optimized]),
        .systemLibrary(name: "CCRC32C"),
        .target(name: "Events", dependencies: ["CCRC32C"], swiftSettings: strict + [optimized]),
        .target(
            name: "Projections", dependencies: ["Events", "Decoding"],
            swiftSettings: strict + [optimized]),
        // Shares no code with Projections, so that the one can certify the other.
        .target(
            name: "Certification", dependencies: ["Events"], swiftSettings: strict + [optimized]),
        .systemLibrary(
            name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev", "pkg-config"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev", "pkg-config"])]),
        .target(
            name: "TamperEvidence", dependencies: ["CNettle", "CSodium", "Events"],
            swiftSettings: strict),

        // Text as people and as programs read it.
        .target(name: "Text", dependencies: ["Events"], swiftSettings: strict),
        .target(name: "JSON", dependencies: [], swiftSettings: strict + [optimized]),

        // Edge, pure: files in and out.
        .target(
            name: "BluetoothCaptures", dependencies: ["Events", "Text"], swiftSettings: strict),
        .target(
            name: "Interchange",
            dependencies: ["Events", "JSON", "Projections", "SQLite", "Text", "XML"],
            swiftSettings: common + [optimized]),
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev", "pkg-config"])]),
        .target(name: "XML", dependencies: ["CExpat"], swiftSettings: strict),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev", "pkg-config"])]),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev", "pkg-config"])]),
        .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: strict),

        // What a camera reads off a screen.
        .systemLibrary(
            name: "CQRencode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev", "pkg-config"])]),
        .target(name: "QRCodes", dependencies: ["CQRencode"], swiftSettings: strict),

        // When something arrives, on this machine's clocks.
        .systemLibrary(name: "CClock"),
        .target(name: "Clocks", dependencies: ["CClock"], swiftSettings: strict),
        .target(name: "Threads", swiftSettings: strict),

        // The log.
        .target(name: "EventStore", dependencies: ["Events"], swiftSettings: common),
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev", "pkg-config"])]),
        .target(name: "Files", swiftSettings: strict),
        .target(
            name: "LMDB", dependencies: ["CLMDB", "Files", "Threads"],
            swiftSettings: strict + [optimized]),
        .target(
            name: "EventStoreLMDB",
            dependencies: ["EventStore", "Events", "Files", "LMDB", "TamperEvidence", "Threads"],
            swiftSettings: common),

        // The central.
        .systemLibrary(
            name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev", "pkg-config"])]),
        .target(name: "DBus", dependencies: ["CDBus", "Clocks", "Threads"], swiftSettings: strict),
        .target(name: "BluetoothCentral", dependencies: ["Events"], swiftSettings: strict),
        // A broker of the house, over a library that is loaded if it is there.
        .systemLibrary(name: "CMosquitto"),
        .target(name: "MQTT", dependencies: ["CMosquitto", "Threads"], swiftSettings: strict),
        .target(
            name: "BlueZ", dependencies: ["BluetoothCentral", "Clocks", "DBus", "Events"],
            swiftSettings: common),

        // Sources to events to log, and the command line.
        .target(
            name: "Words",
            dependencies: [
                "BluetoothCentral", "Certification", "Decoding", "Events", "Interchange", "JSON",
                "Projections", "Text",
            ], swiftSettings: strict),
        .target(
            name: "Deciding",
            dependencies: [
                "Certification", "Clocks", "EventStore", "Events", "Projections", "TamperEvidence",
            ], swiftSettings: common),
        .target(
            name: "Recording",
            dependencies: [
                "BluetoothCentral", "Clocks", "Deciding", "EventStore", "Events",
                "Interchange", "JSON", "Projections", "Text", "Words",
            ], swiftSettings: common),
        .target(
            name: "Terminal",
            dependencies: [
                "Clocks", "Deciding", "Decoding", "Events", "Files", "Projections", "Recording",
                "Text", "Words",
            ], swiftSettings: common),
        .target(
            name: "Sensors",
            dependencies: [
                "BlueZ", "BluetoothCaptures", "BluetoothCentral", "Clocks", "Compression", "DBus",
                "Events", "Files", "Interchange", "JSON", "Projections", "Recording", "SQLite",
                "TamperEvidence", "Text", "Words",
            ], swiftSettings: common),
        // What was: replays, exports, filters.
        .target(
            name: "Stores",
            dependencies: [
                "Clocks", "Deciding", "EventStore", "EventStoreLMDB", "Events", "Files", "JSON",
                "Projections", "Recording", "Sensors", "TamperEvidence", "Terminal", "Text",
                "WalkService", "Words",
            ], swiftSettings: common),
        .target(
            name: "LookingBack",
            dependencies: [
                "BluetoothCaptures", "Clocks", "Deciding", "EventStore", "EventStoreLMDB", "Events",
                "Interchange", "JSON", "Projections", "Recording", "Sensors", "Stores",
                "TamperEvidence", "Terminal", "Text", "Words",
            ], swiftSettings: common),
        // The one door for all fronts.
        .target(
            name: "WalkService",
            dependencies: [
                "BluetoothCentral", "Certification", "Clocks", "Deciding", "EventStore", "Events",
                "Projections", "Recording", "Threads",
            ], swiftSettings: common),
        // The page's files, in the program.
        .target(name: "CPage", exclude: ["site"]),
        .target(
            name: "Web",
            dependencies: [
                "BluetoothCentral", "CPage", "Certification", "Clocks", "Compression",
                "EventStore", "Events", "Files", "Interchange", "JSON", "Projections",
                "QRCodes", "Recording", "SQLite", "TamperEvidence", "Text", "Threads",
                "WalkService", "Words",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: common),
        .executableTarget(
            name: "PulselogCLI",
            dependencies: [
                "Stores",
                "BlueZ", "BluetoothCaptures", "BluetoothCentral", "Certification", "Clocks",
                "Deciding", "Decoding", "EventStore", "EventStoreLMDB", "Events", "Files",
                "Interchange", "JSON", "LookingBack", "MQTT", "Projections", "QRCodes", "Recording",
                "Sensors",
                "TamperEvidence", "Terminal", "Text", "Threads", "WalkService", "Web", "Words",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: common),

        // bluetoothd with straps in range, as a value: for FakeStrap and for the simulator.
        .target(
            name: "DaemonModel",
            dependencies: ["BluetoothCentral", "DBus", "Events", "Interchange", "JSON"],
            path: "Tools/Play/FakeStrap/Model", swiftSettings: common),
        // Plays `org.bluez` on a private bus, for tests and for the demonstration.
        .executableTarget(
            name: "FakeStrap",
            dependencies: [
                "BluetoothCentral", "Clocks", "DBus", "DaemonModel", "JSON", "TestSupport", "Text",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Play/FakeStrap/Command", swiftSettings: common),

        // Plays gpsd, for tests and for looking at positions without a receiver.
        .executableTarget(
            name: "FakeGpsd",
            dependencies: [
                "Clocks", "Events", "Interchange", "TestSupport", "Text",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Play/FakeGpsd", swiftSettings: common),

        // Writes made-up files of health stores, for tests and for the campaign Long.
        .executableTarget(
            name: "HealthFiles",
            dependencies: [
                "CSQLite", "Events", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Play/HealthFiles", swiftSettings: common),
        // Random histories of steps, held against the certifier and what was walked.
        .target(
            name: "HistoryModel",
            dependencies: ["Certification", "Events", "Projections", "TestSupport"],
            path: "Tools/Campaigns/Histories/Model", swiftSettings: common),
        .executableTarget(
            name: "StepHistories",
            dependencies: [
                "CampaignRuns", "HistoryModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Campaigns/Histories/Command", swiftSettings: common),

        // The whole recorder in virtual time, among everything that may go wrong.
        .target(
            name: "SimulatorModel",
            dependencies: [
                "BlueZ", "BluetoothCentral", "Certification", "Clocks", "DBus", "DaemonModel",
                "Deciding", "EventStore", "Events", "Interchange", "Projections", "Recording",
                "TestSupport", "WalkService",
            ],
            path: "Tools/Campaigns/Simulator/Model", swiftSettings: common),
        .executableTarget(
            name: "Simulator",
            dependencies: [
                "CampaignRuns", "SimulatorModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Campaigns/Simulator/Command", swiftSettings: common),

        // Holds up those who write to a store, for tests.
        .executableTarget(
            name: "HeldWrite", dependencies: ["LMDB"], path: "Tools/Play/HeldWrite",
            swiftSettings: common),

        // What campaigns share: options, programs that they start, and files.
        .target(
            name: "CampaignRuns",
            dependencies: [
                "Events", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Campaigns/CampaignRuns", swiftSettings: common),
        // Damages a store in every way, and runs everything on the result.
        .executableTarget(
            name: "StoreDamage",
            dependencies: [
                "CampaignRuns", "EventStore", "EventStoreLMDB", "Events",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Campaigns/Damage", swiftSettings: common),
        // What a power cut leaves of a store, at every moment of every command.
        .executableTarget(
            name: "PowerLoss",
            dependencies: [
                "CampaignRuns", "Deciding", "EventStore", "EventStoreLMDB", "Events", "Projections",
                "Recording", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Campaigns/PowerLoss", swiftSettings: common),

        // The logs of a study's walkers as values, and walkers who are made up for its tests.
        .target(
            name: "Fleet",
            dependencies: [
                "EventStore", "EventStoreLMDB", "Events", "Files", "JSON", "Projections",
                "TamperEvidence", "Text", "Words",
            ],
            path: "Tools/Fleet/Sources/Fleet", swiftSettings: common),
        .target(
            name: "Walkers",
            dependencies: [
                "Deciding", "EventStore", "Events", "Fleet", "Projections", "TestSupport",
            ],
            path: "Tools/Fleet/Sources/Walkers", swiftSettings: common),

        // What the tests share, and the tools that are made for them.
        .target(
            name: "TestSupport",
            dependencies: ["CSQLite", "Clocks", "DBus", "EventStore", "Events", "Projections"],
            path: "Tests/TestSupport",
            swiftSettings: common),

        // Which tests are slow.
        .target(
            name: "TestSelection", path: "Tests/TestSelection", exclude: ["slowest.py"],
            swiftSettings: common),

        .testTarget(name: "TidyTests", exclude: ["caps.txt"], swiftSettings: common),
        .testTarget(
            name: "DecodingTests", dependencies: ["Decoding", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "EventsTests", dependencies: ["Events", "TestSelection", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "ProjectionsTests",
            dependencies: [
                "Certification", "Deciding", "EventStore", "Events", "HistoryModel", "Projections",
                "TestSelection", "TestSupport",
            ], swiftSettings: common),
        .testTarget(
            name: "CertificationTests", dependencies: ["Certification", "Events"],
            swiftSettings: common),
        .testTarget(
            name: "BluetoothCapturesTests",
            dependencies: ["BluetoothCaptures", "Events", "TestSelection", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "Events", "Interchange", "JSON", "Projections", "SQLite",
                "TestSelection", "TestSupport", "Text",
            ],
            swiftSettings: common),
        .testTarget(
            name: "EventStoreTests",
            dependencies: [
                "EventStore", "EventStoreLMDB", "Events", "LMDB", "TamperEvidence", "TestSelection",
                "TestSupport",
            ],
            exclude: ["Stores"], swiftSettings: common),
        .testTarget(
            name: "FakeStrapTests",
            dependencies: [
                "BluetoothCentral", "Clocks", "DBus", "DaemonModel", "Events", "FakeStrap",
                "Interchange", "TestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "WordsTests",
            dependencies: [
                "BluetoothCentral", "Decoding", "Events", "JSON", "Projections", "TestSelection",
                "TestSupport", "Text", "Words",
            ],
            swiftSettings: common),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "BluetoothCentral", "Certification", "Clocks", "DBus", "DaemonModel", "Deciding",
                "EventStore", "Events", "FakeStrap", "JSON", "Projections", "Recording", "Sensors",
                "TamperEvidence", "TestSelection", "TestSupport", "Text", "WalkService", "Words",
            ],
            swiftSettings: common),
        .testTarget(
            name: "ScreenTests",
            dependencies: [
                "BluetoothCentral", "Clocks", "Deciding", "Events", "Projections", "Recording",
                "Terminal", "TestSupport", "Text", "Words",
            ],
            swiftSettings: common),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "BluetoothCentral", "Deciding", "EventStore", "Events", "Projections", "Recording",
                "Simulator", "SimulatorModel", "TestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "WalkServiceTests",
            dependencies: [
                "Clocks", "Deciding", "EventStore", "Events", "Projections", "Recording",
                "TestSelection", "TestSupport", "WalkService",
            ], swiftSettings: common),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "BluetoothCentral", "Clocks", "Deciding", "EventStore", "Events",
                "Interchange", "Projections", "QRCodes", "Recording", "TestSupport", "WalkService",
                "Web", "Words",
            ], swiftSettings: common),
        .testTarget(
            name: "PulselogCLITests",
            dependencies: [
                "BlueZ", "BluetoothCentral", "Clocks", "Compression", "DBus",
                "EventStore", "EventStoreLMDB", "Events", "FakeGpsd", "FakeStrap", "HealthFiles",
                "HeldWrite", "Interchange", "LookingBack", "Projections", "PulselogCLI",
                "Recording", "Sensors", "TestSelection", "TestSupport", "Text", "Words",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: common),
        .testTarget(
            name: "CampaignTests",
            dependencies: [
                "CampaignRuns", "EventStoreLMDB", "PowerLoss", "StoreDamage", "TestSelection",
                "TestSupport",
            ], swiftSettings: common),
        .testTarget(
            name: "TamperEvidenceTests",
            dependencies: ["Events", "TamperEvidence", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "LMDBTests", dependencies: ["LMDB", "TestSelection", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "SQLiteTests",
            dependencies: ["SQLite", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "CompressionTests", dependencies: ["Compression"],
            swiftSettings: common),
        .testTarget(
            name: "XMLTests", dependencies: ["XML"], swiftSettings: common),
        .testTarget(
            name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: common),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "Deciding", "EventStore", "EventStoreLMDB", "Events", "Fleet", "JSON",
                "Projections", "TamperEvidence", "TestSelection", "TestSupport", "Text", "Walkers",
                "Words",
            ],
            path: "Tools/Fleet/Tests/FleetTests", swiftSettings: common),
        .testTarget(
            name: "FilesTests", dependencies: ["Files", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "ClocksTests", dependencies: ["Clocks", "TestSupport"], swiftSettings: common),
        .testTarget(
            name: "DBusTests", dependencies: ["Clocks", "DBus", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "BluetoothCentralTests",
            dependencies: [
                "BluetoothCentral", "DaemonModel", "Events", "SimulatorModel", "TestSelection",
                "TestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "BlueZTests",
            dependencies: [
                "BlueZ", "BluetoothCentral", "DBus", "DaemonModel", "Events", "FakeStrap",
                "TestSupport",
            ],
            swiftSettings: common),
    ]
)

if everything {
    package.targets += [
        // The yardstick of the benchmarks: C on liblmdb, and those who keep events one by one. SwiftPM
        // builds C with -O2; the best C deserves -O3, for which it wants the word unsafe.
        .target(
            name: "CReference", path: "Tools/Benchmarks/Sources/CReference",
            cSettings: [.unsafeFlags(["-O3", "-std=c11", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("lmdb"), .linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CReference", "Clocks", "Deciding", "Decoding", "EventStore", "EventStoreLMDB",
                "Events", "Projections", "Recording", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Benchmarks/Sources/Benchmarks", swiftSettings: common),
        .testTarget(
            name: "BenchmarksTests",
            dependencies: [
                "Benchmarks", "CReference", "Deciding", "EventStore", "EventStoreLMDB", "Events",
                "Projections", "TestSupport",
            ],
            path: "Tools/Benchmarks/Tests/BenchmarksTests", swiftSettings: common),
    ]

    // A study's walkers through NATS JetStream, by libnats.
    package.products += [.executable(name: "pulselog-fleet", targets: ["PulselogFleet"])]
    package.targets += [
        .systemLibrary(
            name: "CNATS", path: "Tools/Fleet/Sources/CNATS", pkgConfig: "libnats",
            providers: [.apt(["libnats-dev", "pkg-config"])]),
        .target(
            name: "NATS", dependencies: ["CNATS", "JSON"], path: "Tools/Fleet/Sources/NATS",
            swiftSettings: strict),
        // The streams of a study on NATS, and how a command names them.
        .target(
            name: "FleetClient",
            dependencies: [
                "Fleet", "NATS", "Text", "Words",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Fleet/Sources/FleetClient", swiftSettings: common),
        .executableTarget(
            name: "PulselogFleet",
            dependencies: [
                "Deciding", "EventStore", "EventStoreLMDB", "Events", "Fleet", "FleetClient",
                "Interchange", "JSON", "Projections", "Terminal", "Text", "Words",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Fleet/Sources/PulselogFleet", swiftSettings: common),
        // Plays recorders by the thousand, for the campaign Fleet.
        .executableTarget(
            name: "FleetPlay",
            dependencies: [
                "Deciding", "EventStore", "Events", "Fleet", "FleetClient", "JSON", "Projections",
                "TestSupport", "Walkers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/Fleet/Sources/FleetPlay", swiftSettings: common),
        .testTarget(
            name: "FleetServerTests",
            dependencies: [
                "EventStore", "Fleet", "FleetClient", "JSON", "NATS", "Projections", "TestSupport",
                "Walkers",
            ],
            path: "Tools/Fleet/Tests/FleetServerTests", swiftSettings: common),
    ]
}
