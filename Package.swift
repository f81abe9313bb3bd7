// swift-tools-version: 6.2
import PackageDescription

/// OpenVINO comes from a PyPI wheel that `make setup` unpacks here; it is not installed system-wide.
let openVINO = Context.packageDirectory + "/.deps/openvino"

#if arch(arm64)
    let architecture = "aarch64-linux-gnu"
#else
    let architecture = "x86_64-linux-gnu"
#endif

/// Where Debian has the headers of GLib, which libvips' headers include.
let glibIncludes = ["-I/usr/include/glib-2.0", "-I/usr/lib/\(architecture)/glib-2.0/include"]

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "embedd",
    products: [
        .executable(name: "embedd", targets: ["embedd"]),
        .library(name: "HTTPServer", targets: ["HTTPServer"]),
        .library(name: "HTTPWire", targets: ["HTTPWire"]),
        .library(name: "PoolHealth", targets: ["PoolHealth"]),
        .library(name: "Scheduling", targets: ["Scheduling"]),
        .library(name: "Telemetry", targets: ["Telemetry"]),
        // Whose lock and errors the others' interfaces speak of.
        .library(name: "Threads", targets: ["Threads"]),
        // For the benchmarks, which call them without HTTP.
        .library(name: "Analysis", targets: ["Analysis"]),
        .library(name: "Imaging", targets: ["Imaging"]),
        .library(name: "Inference", targets: ["Inference"]),
    ],
    targets: [
        // Floor 5: the command line.
        .executableTarget(name: "embedd", dependencies: ["Service"], swiftSettings: strict),

        // Floor 4: where all rooms meet.
        .target(
            name: "Service",
            dependencies: [
                "Analysis", "HTTPServer", "HTTPWire", "Imaging", "Inference", "PoolHealth", "Scheduling", "Telemetry",
                "Threads",
                "CLinux",
            ],
            swiftSettings: strict),

        // Floor 3: what happens to one image and to a group.
        .target(
            name: "Analysis",
            dependencies: ["Imaging", "Inference", "Scheduling", "Telemetry", "Threads", "CCrypto", "CSQLite"],
            swiftSettings: strict),

        // Floor 2: rooms that know nothing of each other.
        .target(
            name: "Imaging", dependencies: ["Scheduling", "Threads", "CJPEG", "CPixels", "CVips", "CWebP", "CZlib"],
            swiftSettings: strict),
        .target(
            name: "Inference", dependencies: ["Scheduling", "Threads", "COpenVINO", "CCrypto"], swiftSettings: strict),
        .target(
            name: "HTTPServer", dependencies: ["HTTPWire", "Scheduling", "Telemetry", "Threads", "CLinux", "CZlib"],
            swiftSettings: strict),

        .target(
            name: "PoolHealth", dependencies: ["HTTPWire", "Telemetry", "Threads", "CLinux", "CPoolHealth"],
            swiftSettings: strict),

        // Floor 1: pure mechanisms.
        .target(name: "Scheduling", dependencies: ["Threads", "CLinux"], swiftSettings: strict),
        .target(name: "HTTPWire", swiftSettings: strict),
        .target(name: "Telemetry", dependencies: ["Threads"], swiftSettings: strict),

        // Floor 0: what pthread gives, and what Swift can't call by itself.
        .target(name: "Threads", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "CLinux"),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CPixels"),
        .target(name: "CPoolHealth"),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
        // Not by pkg-config: its include paths, among them /usr/include/<architecture>, would go to every Swift target
        // above, where they change how Glibc's own headers are found.
        .target(
            name: "CVips",
            cSettings: [.unsafeFlags(glibIncludes)],
            linkerSettings: [.linkedLibrary("vips"), .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0")]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "COpenVINO",
            linkerSettings: [
                .unsafeFlags([
                    "-L\(openVINO)/lib", "-Xlinker", "-rpath=\(openVINO)/lib",
                    // Where an installed release finds it: bin/embedd beside lib/embedd.
                    "-Xlinker", "-rpath=$ORIGIN/../lib/embedd",
                ]),
                .linkedLibrary("openvino_c"),
            ]),

        .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads", "CLinux"], swiftSettings: strict),
        .testTarget(
            name: "SchedulingTests", dependencies: ["Scheduling", "Threads", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"],
            exclude: ["Differential/h11_reference.py"],
            swiftSettings: strict),
        .testTarget(name: "TelemetryTests", dependencies: ["Telemetry", "Threads"], swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTPServer", "HTTPWire", "Scheduling", "Telemetry", "Threads", "CLinux", "CZlib", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ImagingTests", dependencies: ["Imaging", "Scheduling", "Threads", "TestSupport"],
            exclude: ["pillow_reference.py"],
            swiftSettings: strict),
        .testTarget(
            name: "InferenceTests", dependencies: ["Inference", "Scheduling", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AnalysisTests",
            dependencies: [
                "Analysis", "Imaging", "Inference", "Scheduling", "Telemetry", "Threads", "CSQLite", "TestSupport",
            ],
            swiftSettings: strict),
        // A process to be broken by the tests.
        .executableTarget(
            name: "pool-health-fixture", dependencies: ["PoolHealth", "Telemetry", "Threads"],
            path: "Tests/PoolHealthFixture",
            swiftSettings: strict),
        .testTarget(
            name: "PoolHealthTests",
            dependencies: [
                "PoolHealth", "HTTPWire", "Telemetry", "Threads", "CLinux", "CPoolHealth", "TestSupport",
                "pool-health-fixture",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ServiceTests",
            dependencies: ["Service", "Analysis", "HTTPServer", "HTTPWire", "Telemetry", "TestSupport"],
            swiftSettings: strict),
        // A process to be ended for blocking, and the library that does so, which Tests/PoolStrict/build makes.
        .executableTarget(
            name: "pool-strict-fixture", dependencies: ["Scheduling", "Threads"], path: "Tests/PoolStrictFixture",
            swiftSettings: strict),
        .testTarget(
            name: "PoolStrictTests", dependencies: ["TestSupport", "pool-strict-fixture"], swiftSettings: strict),
        .testTarget(name: "IntegrationTests", dependencies: ["TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
