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

/// Settings of the pure targets and the two wrappers of C libraries.
let strict: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
    name: "pulselog",
    targets: [
        // Pure: bytes to state.
        .target(name: "Decoding", swiftSettings: strict),

        // The log.
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev", "pkg-config"])]),
        .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: strict),

        // The central.
        .systemLibrary(
            name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev", "pkg-config"])]),
        .target(name: "DBus", dependencies: ["CDBus"], swiftSettings: strict),
        .target(name: "BlueZ", dependencies: ["DBus"], swiftSettings: common),

        .testTarget(name: "DecodingTests", dependencies: ["Decoding"], swiftSettings: common),
        .testTarget(name: "LMDBTests", dependencies: ["LMDB"], swiftSettings: common),
        .testTarget(name: "DBusTests", dependencies: ["DBus"], swiftSettings: common),
        .testTarget(name: "BlueZTests", dependencies: ["BlueZ", "DBus"], swiftSettings: common),
    ]
)
