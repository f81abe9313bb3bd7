// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "WatchedServer",
    dependencies: [.package(name: "embedd", path: "../..")],
    targets: [
        .executableTarget(
            name: "WatchedServer",
            dependencies: [
                .product(name: "PoolHealth", package: "embedd"), .product(name: "Telemetry", package: "embedd"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
