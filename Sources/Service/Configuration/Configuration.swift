import Imaging
import Inference
import Telemetry

/// Everything that can be set, with its default. `config/embedd.json5` documents each key; a test keeps the two equal.
public struct Configuration: Sendable, Equatable {
    /// The listener and what it accepts.
    public var server = Server()
    /// What happens to every request.
    public var request = Request()
    /// What may wait for its turn.
    public var queue = Queue()
    /// How many batches may be open.
    public var batch = Batch()
    /// How much jobs may keep.
    public var jobs = Jobs()
    /// How pictures are read.
    public var decode = Decode()
    /// Which models are served.
    public var models = Models()
    /// How the model is run.
    public var inference = Inference()
    /// Which results are kept.
    public var cache = Cache()
    /// The listener for operators.
    public var admin = Admin()
    /// The watch over Swift's cooperative pool.
    public var pool = Pool()
    /// What is logged, and how.
    public var log = Log()

    /// The defaults.
    public init() {}

    /// `server.*`
    public struct Server: Sendable, Equatable {
        /// The address to listen on: an IPv4 or IPv6 literal.
        public var host = "127.0.0.1"
        /// The TCP port; 0 lets the system choose, and the log names its choice.
        public var port = 8080
        /// The path of a Unix-domain socket to listen on instead of host and port; empty for none.
        public var unixSocket = ""
        /// Whether other processes of the same user may listen on the same port, too.
        public var reusePort = false
        /// Whether answers are compressed for clients that accept it.
        public var compression = true
        /// The origins whose scripts may read the answers; `*` alone for all.
        public var corsOrigins: [String] = []
        /// The most bytes that a request body may have.
        public var bodyLimit = ByteCount.mebibytes(32)
        /// The most bytes of all request bodies together that are held in memory.
        public var bodyBudget = ByteCount.mebibytes(256)
        /// The most connections that are served at a time.
        public var connectionLimit = 10_000
        /// How long a client may take for a request's header.
        public var headerTimeout = Duration.seconds(10)
        /// How long a connection may stay open without a request.
        public var idleTimeout = Duration.seconds(75)
        /// The fewest bytes a second that a client must take of a response that waits for it; 0 for any.
        public var responseRate = ByteCount(bytes: 1024)
        /// What a client's FIN means.
        public var halfClose = HalfCloseChoice.close
        /// How long the service still takes connections after SIGTERM, while it says that it isn't ready.
        public var drainDelay = Duration.zero
        /// How long requests in flight may go on after that before they are cancelled.
        public var shutdownGrace = Duration.seconds(10)
    }

    /// `request.*`
    public struct Request: Sendable, Equatable {
        /// The longest a request may take, from its first byte to its answer, if `timeout_ms` doesn't ask for less.
        public var deadline = Duration.seconds(30)
    }

    /// `queue.*`
    public struct Queue: Sendable, Equatable {
        /// The most images that wait for their turn.
        public var images = 256
        /// The most bytes of image files that wait for their turn.
        public var bytes = ByteCount.mebibytes(256)
        /// The longest that an image waits for its turn.
        public var timeout = Duration.seconds(15)
    }

    /// `batch.*`
    public struct Batch: Sendable, Equatable {
        /// The most batches that are open at a time, and the most uploads of jobs.
        public var streams = 8
    }

    /// `jobs.*`
    public struct Jobs: Sendable, Equatable {
        /// The most jobs that are kept.
        public var count = 64
        /// The most bytes of waiting pictures and of results, of all jobs together.
        public var bytes = ByteCount.mebibytes(256)
        /// How long a job that has ended is kept.
        public var age = Duration.seconds(3600)
    }

    /// `decode.*`
    public struct Decode: Sendable, Equatable {
        /// Fast decodes JPEG at a reduced scale that leaves a margin; exact reproduces the reference bit for bit.
        public var mode = DecodeMode.fast
        /// The most pixels (width times height) that a picture may have.
        public var pixelLimit = 64_000_000
        /// The fewest pixels that each side must have.
        public var minimumSide = 2
        /// The formats that are read; others answer 415.
        public var formats = [ImageFormat.jpeg, .png, .webp, .gif]
        /// Threads of the decode lane; 0 takes one for each usable core.
        public var threads = 0
        /// The most memory that pictures may take while they are decoded, all together.
        public var memoryBudget = ByteCount.mebibytes(512)
    }

    /// `models.*`
    public struct Models: Sendable, Equatable {
        /// The folder that holds one folder for each model.
        public var path = "/usr/local/share/embedd/models"
        /// The model that answers when a request names none.
        public var `default` = "efficientnet-lite0"
    }

    /// `inference.*`
    public struct Inference: Sendable, Equatable {
        /// The arithmetic of the model. Stored vectors depend on it, so it is never left to the host's abilities.
        public var precision = InferencePrecision.f32
        /// Inferences that run side by side; 0 takes one for each usable core.
        public var streams = 0
        /// The folder in which compiled models are kept; empty keeps none.
        public var cachePath = ""
        /// The longest that one inference may take before its request is given up.
        public var stallLimit = Duration.seconds(30)
    }

    /// `cache.*`
    public struct Cache: Sendable, Equatable {
        /// What finished results may take in memory; 0 keeps none.
        public var memoryBytes = ByteCount.mebibytes(64)
        /// The file of the results that outlive a restart; empty keeps none.
        public var path = ""
        /// How large that file may grow.
        public var fileBytes = ByteCount.mebibytes(1024)
    }

    /// `admin.*`
    public struct Admin: Sendable, Equatable {
        /// The address to listen on: an IPv4 or IPv6 literal.
        public var host = "127.0.0.1"
        /// The TCP port; 0 lets the system choose, and the log names its choice.
        public var port = 8081
    }

    /// `pool.*`
    public struct Pool: Sendable, Equatable {
        /// Whether the monitor watches the pools.
        public var monitor = true
        /// How long a pool may stand still until the process writes all stacks and aborts; 0 never does.
        public var abortAfter = Duration.zero
        /// Whether `/livez` fails, too, while a pool stands still.
        public var livez = false
        /// Whether `POST /debug/chaos` exists on the admin listener.
        public var chaos = false
    }

    /// `log.*`
    public struct Log: Sendable, Equatable {
        /// JSON lines, readable text, or text on a terminal and JSON elsewhere.
        public var format = LogFormatChoice.automatic
        /// The least level that is written.
        public var level = LogLevel.info
    }
}
