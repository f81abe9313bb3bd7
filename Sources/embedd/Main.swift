import FoundationEssentials
import Glibc
import Service

@main
struct Main {
    /// EX_CONFIG of sysexits.h: something is wrong with the configuration.
    private static let configurationExitStatus: Int32 = 78

    /// EX_USAGE of sysexits.h: the words make no sense.
    private static let usageExitStatus: Int32 = 64

    /// Runs on the main thread, which is not one of the cooperative pool, so that loading a model may block it.
    @MainActor
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        let arguments: CommandLineArguments
        do {
            arguments = try CommandLineArguments(CommandLineArguments.ofProcess, environment: environment)
        } catch {
            fail("\(error)", status: configurationExitStatus)
        }
        switch arguments.command {
        case .serve:
            exit(await EmbeddService(configuration: arguments.configuration, environment: environment).run())
        case .check:
            print(arguments.effectiveConfiguration, terminator: "")
        case .health:
            do { try HealthProbe(arguments.configuration).run() } catch { fail("\(error)", status: EXIT_FAILURE) }
        case .chaos:
            chaos(arguments.chaosWords)
        case .version:
            print("embedd \(Version.current)")
        case .help:
            print(help)
        }
    }

    private static func chaos(_ words: [String]) -> Never {
        let command: ChaosCommand
        do { command = try ChaosCommand(words) } catch { fail("\(error)", status: usageExitStatus) }
        do {
            let answer = try command.run()
            print(answer.text, terminator: "")
            // exit(3) would wait for what the fault may have left behind.
            fflush(nil)
            _exit(answer.isRight ? EXIT_SUCCESS : EXIT_FAILURE)
        } catch {
            fail("\(error)", status: EXIT_FAILURE)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        let line = "embedd: \(message)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        exit(status)
    }

    private static let help = """
        embedd: pictures in, embedding vectors out, over HTTP.

          embedd [serve] [FLAG…]    run the service until SIGTERM
          embedd check [FLAG…]      print the effective configuration, or what is wrong with it
          embedd health [FLAG…]     exit with 0 if the service that has this configuration is ready
          embedd chaos FAULT …      break a pool of this process, and tell what the pool monitor sees of it:
                                    `embedd chaos --help`
          embedd version            print the version
          embedd help               print this

        Flags:
          --config FILE             read settings from a JSON5 file
          --SECTION.KEY VALUE       one setting, such as --server.port 9000; `embedd check` lists them
        """
}
