// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "embedd", path: "..")],
    targets: [
        .executableTarget(
            name: "limit",
            dependencies: [
                .product(name: "Analysis", package: "embedd"), .product(name: "Imaging", package: "embedd"),
                .product(name: "Inference", package: "embedd"),
                .product(name: "Scheduling", package: "embedd"),
            ],
            path: "Sources/Limit"),
        .executableTarget(
            name: "footprint",
            dependencies: [
                .product(name: "Imaging", package: "embedd"), .product(name: "Scheduling", package: "embedd"),
            ],
            path: "Sources/Footprint"),
        .executableTarget(
            name: "http-bench",
            dependencies: [
                .product(name: "HTTPServer", package: "embedd"), .product(name: "HTTPWire", package: "embedd"),
            ],
            path: "Sources/HTTPBench"),
    ],
    swiftLanguageModes: [.v6]
)
