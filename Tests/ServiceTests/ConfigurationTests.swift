import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct ConfigurationTests {
    private func load(
        _ json5: String = "{}", environment: [String: String] = [:], flags: [String] = []
    ) throws -> ConfigurationLoader {
        var loader = ConfigurationLoader()
        try loader.read(json5: Data(json5.utf8), path: "test.json5")
        try loader.read(environment: environment)
        try loader.read(flags: try Flag.parse(flags))
        return loader
    }

    private func failure(
        _ json5: String = "{}", environment: [String: String] = [:], flags: [String] = []
    ) -> ConfigurationError? {
        #expect(throws: ConfigurationError.self) {
            try load(json5, environment: environment, flags: flags)
        }
    }

    @Test func theDocumentedFileSetsEveryKeyToItsDefault() throws {
        let file = packageRoot.appending(path: "config/embedd.json5")
        var loader = ConfigurationLoader()
        try loader.read(file: file.path)
        #expect(loader.configuration == Configuration())
        #expect(Set(loader.sources.keys) == Set(Setting.all.map(\.key)))
    }

    @Test func anEnvironmentVariableOverridesTheFileAndAFlagOverridesBoth() throws {
        let file = "{server: {port: 1, host: '::1'}, decode: {mode: 'exact'}}"
        let environment = ["EMBEDD_SERVER_PORT": "2", "EMBEDD_SERVER_HOST": "0.0.0.0"]
        let loader = try load(file, environment: environment, flags: ["--server.port=3"])
        #expect(loader.configuration.server.port == 3)
        #expect(loader.configuration.server.host == "0.0.0.0")
        #expect(loader.configuration.decode.mode == .exact)
        #expect(
            loader.sources == [
                "server.port": "--server.port", "server.host": "EMBEDD_SERVER_HOST", "decode.mode": "test.json5",
            ])
    }

    @Test(arguments: [["--pool.livez=true"], ["--pool.abort_after=30s"]])
    func nobodyMayWaitForAMonitorThatIsOff(flags: [String]) throws {
        #expect(throws: ConfigurationError.self) {
            try CommandLineArguments(["--pool.monitor=false"] + flags, environment: [:])
        }
        #expect(try !CommandLineArguments(["--pool.monitor=false"], environment: [:]).configuration.pool.monitor)
    }

    @Test func theEffectiveConfigurationIsAFileWithTheSameEffect() throws {
        let changed = try load(
            environment: [
                "EMBEDD_SERVER_BODY_LIMIT": "1536KiB", "EMBEDD_REQUEST_DEADLINE": "90s",
                "EMBEDD_DECODE_FORMATS": "png, tiff", "EMBEDD_INFERENCE_CACHE_PATH": #"/a "b"\c"#,
            ])
        #expect(changed.configuration.server.bodyLimit.bytes == 1536 << 10)
        #expect(changed.configuration.request.deadline == .seconds(90))
        #expect(changed.configuration.decode.formats == [.png, .tiff])
        #expect(try load(changed.effectiveJSON5).configuration == changed.configuration)
    }

    @Test func theListenerFollowsFromTheConfiguration() throws {
        #expect(try load().configuration.server.address.description == "127.0.0.1:8080")
        #expect(try load("{server: {host: '::'}}").configuration.server.address.description == "[::]:8080")
        let unix = try load(environment: ["EMBEDD_SERVER_UNIX_SOCKET": "/run/a.sock"])
        #expect(unix.configuration.server.address.description == "unix:/run/a.sock")
    }

    @Test func originsAreReadFromAListAndFromText() throws {
        #expect(try load().configuration.server.cors == nil)
        let file = try load("{server: {cors_origins: ['https://a.org', 'http://localhost:3000']}}")
        #expect(file.configuration.server.cors?.origins == .only(["https://a.org", "http://localhost:3000"]))
        let flag = try load(flags: ["--server.cors_origins", "https://a.org, https://b.org"])
        #expect(flag.configuration.server.corsOrigins == ["https://a.org", "https://b.org"])
        let all = try load(environment: ["EMBEDD_SERVER_CORS_ORIGINS": "*", "EMBEDD_SERVER_REUSE_PORT": "true"])
        #expect(all.configuration.server.cors?.origins == .any)
        #expect(all.configuration.server.reusePort)
    }

    @Test func anUnknownKeyIsNamedWithTheOneThatWasMeant() {
        let error = failure("{server: {prot: 80}}")
        #expect(error == .unknownKey("server.prot", source: "test.json5", suggestions: ["server.port"]))
        #expect(
            error?.description == "test.json5: there is no setting 'server.prot'; did you mean server.port?")
        #expect(failure("{port: 80}") == .unknownKey("port", source: "test.json5", suggestions: []))
        #expect(
            failure(environment: ["EMBEDD_SERVER_PRT": "80"])
                == .unknownKey("server.prt", source: "EMBEDD_SERVER_PRT", suggestions: ["server.port"]))
        #expect(
            failure(flags: ["--log.levle", "info"])
                == .unknownKey("log.levle", source: "--log.levle", suggestions: ["log.level"]))
    }

    @Test func variablesThatKubernetesSetsForAServiceOfThisNameAreNoSettings() throws {
        let environment = ["EMBEDD_SERVICE_HOST": "10.0.0.1", "EMBEDD_PORT": "tcp://10.0.0.1:80"]
        #expect(try load(environment: environment).configuration == Configuration())
    }

    @Test(arguments: [
        ("{server: {port: 65536}}", "server.port", "65536"),
        ("{server: {port: -1}}", "server.port", "-1"),
        ("{server: {port: 80.5}}", "server.port", "80.5"),
        ("{server: {port: true}}", "server.port", "true"),
        ("{server: {port: null}}", "server.port", "null"),
        ("{server: {host: ''}}", "server.host", "\"\""),
        ("{server: {host: 'localhost'}}", "server.host", "\"localhost\""),
        ("{server: {host: '127.0.0.1.5'}}", "server.host", "\"127.0.0.1.5\""),
        ("{models: {default: '../secret'}}", "models.default", "\"../secret\""),
        ("{server: {compression: 'yes'}}", "server.compression", "\"yes\""),
        ("{server: {reuse_port: 1}}", "server.reuse_port", "1"),
        ("{server: {cors_origins: ['example.org']}}", "server.cors_origins", "[\"example.org\"]"),
        ("{server: {cors_origins: ['*', 'https://a']}}", "server.cors_origins", "[\"*\", \"https://a\"]"),
        ("{server: {cors_origins: [1]}}", "server.cors_origins", "[1]"),
        ("{server: {body_limit: '32MB'}}", "server.body_limit", "\"32MB\""),
        ("{server: {body_limit: '9999999999GiB'}}", "server.body_limit", "\"9999999999GiB\""),
        ("{request: {deadline: '0s'}}", "request.deadline", "\"0s\""),
        ("{request: {deadline: 30}}", "request.deadline", "30"),
        ("{decode: {mode: 'quick'}}", "decode.mode", "\"quick\""),
        ("{decode: {formats: []}}", "decode.formats", "[]"),
        ("{decode: {formats: ['jpeg', 'jpeg']}}", "decode.formats", "[\"jpeg\", \"jpeg\"]"),
        ("{decode: {formats: ['svg']}}", "decode.formats", "[\"svg\"]"),
    ])
    func aBadValueIsNamedWithItsKeyAndWhatIsAllowed(file: String, key: String, value: String) throws {
        let allowed = try #require(Setting.all.first { $0.key == key }).allowed
        #expect(failure(file) == .badValue(key: key, value: value, source: "test.json5", allowed: allowed))
    }

    @Test func aFileThatIsNotJSON5SaysSo() throws {
        for text in ["", "{server: ", "[]", "{server: {port: 1} log: {}}"] {
            guard case .malformed(let path, let reason) = failure(text) else {
                Issue.record("\(text) was not refused as malformed")
                continue
            }
            #expect(path == "test.json5")
            #expect(!reason.isEmpty)
        }
    }

    @Test func aKeyThatIsThereTwiceIsNamed() {
        #expect(
            failure("{server: {port: 1},\n server: {host: \"::1\"}}")
                == .repeatedKey(path: "test.json5", reason: "line 2: server is there twice"))
        #expect(
            failure("{server: {port: 1, host: \"a\",\n\n 'port': 2}}")
                == .repeatedKey(path: "test.json5", reason: "line 3: server.port is there twice"))
    }

    @Test func aNumberThatIsTooLargeIsNamed() {
        #expect(
            failure("{server: {port: 1e999}}")
                == .malformed(path: "test.json5", reason: "server.port has a value that can't be read"))
    }

    @Test(arguments: ["help", "version", "--help"])
    func whoAsksForHelpNeedsNoValidSettings(word: String) throws {
        let environment = ["EMBEDD_SERVER_PORT": "x"]
        #expect(throws: Never.self) { try CommandLineArguments([word], environment: environment) }
        #expect(throws: Never.self) { try CommandLineArguments(["chaos", "--help"], environment: environment) }
        #expect(throws: ConfigurationError.self) { try CommandLineArguments([], environment: environment) }
    }

    @Test func commandAndFlagsAreReadFromTheCommandLine() throws {
        #expect(try CommandLineArguments([], environment: [:]).command == .serve)
        let arguments = try CommandLineArguments(["check", "--server.port", "7"], environment: [:])
        #expect(arguments.command == .check)
        #expect(arguments.configuration.server.port == 7)
        #expect(try CommandLineArguments(["--version"], environment: [:]).command == .version)
        #expect(throws: ConfigurationError.badArgument("--server.port", reason: "its value is missing")) {
            try CommandLineArguments(["--server.port"], environment: [:])
        }
        #expect(throws: ConfigurationError.self) { try CommandLineArguments(["sevre"], environment: [:]) }
        #expect(throws: ConfigurationError.self) { try CommandLineArguments(["serve", "8080"], environment: [:]) }
    }
}
