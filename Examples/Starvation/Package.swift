// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Starvation",
    dependencies: [.package(name: "embedd", path: "../..")],
    targets: [
        .executableTarget(
            name: "starvation",
            dependencies: [
                .product(name: "PoolHealth", package: "embedd"), .product(name: "Scheduling", package: "embedd"),
                .product(name: "Telemetry", package: "embedd"), .product(name: "Threads", package: "embedd"),
            ],
            path: "Sources/Starvation")
    ],
    swiftLanguageModes: [.v6]
)
