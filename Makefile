# `make` lists what there is.
MAKEFLAGS += --no-print-directory
BINARY := .build/release/embedd
# The folders too: their times tell of files that are gone.
SOURCES := Package.swift $(shell find Sources)
FORMATTED := Package.swift Sources Tests Benchmarks Examples Fuzzing

.PHONY: help setup release run test test-strict examples lint format fuzz sanitize churn demo-starvation bench bench-http \
	bench-concurrency bench-load bench-alarms bench-pool test-container clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install and fetch what a build needs
	@scripts/setup

release: setup $(BINARY) ## Build the release binary

$(BINARY): $(SOURCES)
	swift build -c release --static-swift-stdlib --product embedd
	@touch $@

run: release ## Start the service on port 8080
	@scripts/run $(BINARY)

# All of several hundred at once starve each other on a few cores, until one's patience is over.
SOME_AT_A_TIME := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=10
# Each of these starts a service that takes all cores, or has Python compute what is right.
FEW_AT_A_TIME := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4
# Tests share the threads of Swift's pool. Beside those that compute for seconds, others would ask too seldom for what
# has to be seen in time.
COMPUTING := ^(ImagingTests|InferenceTests)\.
INTEGRATION := ^IntegrationTests\.

# They judge fractions of a second, so nothing else runs beside them.
TIMED_OF_POOL_HEALTH := PoolHealthTests\.(StarvationTests|PageTests|LaneTests|RestrictedPlatformTests)
TIMED_OF_INTEGRATION := IntegrationTests\.(ChaosCommandTests|RestrictedPlatformTests)
TIMED := $(TIMED_OF_POOL_HEALTH)|$(TIMED_OF_INTEGRATION)

# Packages of their own, which use this one from outside. They share one folder, so that what both need is built once.
EXAMPLES := WatchedServer Starvation

examples: ## Build the examples
	@for example in $(EXAMPLES); do \
		swift build --quiet --package-path Examples/$$example --scratch-path Examples/.build || exit 1; \
	done

test: ## Run the whole test suite
	@scripts/setup test
	@$(MAKE) examples
	@$(MAKE) $(BINARY)
	$(SOME_AT_A_TIME) swift test --skip '$(COMPUTING)|$(INTEGRATION)|$(TIMED_OF_POOL_HEALTH)'
	$(FEW_AT_A_TIME) swift test --skip-build --filter '$(COMPUTING)'
	EMBEDD_BINARY=$(abspath $(BINARY)) $(FEW_AT_A_TIME) \
		swift test --skip-build --filter '$(INTEGRATION)' --skip '$(TIMED_OF_INTEGRATION)'
	EMBEDD_BINARY=$(abspath $(BINARY)) swift test --skip-build --no-parallel --filter '$(TIMED)'

POOL_STRICT_LIBRARY := $(abspath .build/libpoolstrict.so)

test-strict: ## Run the service's tests, and end the service when a task blocks its thread
	@scripts/setup test
	@$(MAKE) $(BINARY)
	Tests/PoolStrict/build $(POOL_STRICT_LIBRARY) $(BINARY)
	EMBEDD_BINARY=$(abspath $(BINARY)) POOL_STRICT=$(POOL_STRICT_LIBRARY) \
		swift test --no-parallel --filter IntegrationTests

lint: ## Check the layout of the code
	swift format lint --strict --recursive --parallel $(FORMATTED)

format: ## Bring the code into its layout
	swift format --in-place --recursive --parallel $(FORMATTED)

SECONDS ?= 60

fuzz: ## Run each fuzzer of the HTTP parsers for SECONDS (60)
	Fuzzing/run $(SECONDS)

# One test at a time: ten times slower, they would starve each other of the pool. Without XCTest, which has no tests here
# but leaks. The libraries that the other rooms stand on aren't instrumented, and keep memory until the process ends.
SANITIZE := swift test --no-parallel --disable-xctest
SANITIZED := ^(Threads|Scheduling|Telemetry|HTTPWire|HTTPServer)Tests\.
SANITIZED_ON_LIBRARIES := ^(Analysis|Inference|PoolHealth|Service)Tests\.
sanitize: export TBB_ENABLE_SANITIZERS = 1

sanitize: ## Test the rooms with ThreadSanitizer and AddressSanitizer
	$(SANITIZE) --sanitize=thread --scratch-path .build/thread \
		--filter '$(SANITIZED)|$(SANITIZED_ON_LIBRARIES)' --skip '^InferenceTests\.'
	$(SANITIZE) --sanitize=address --scratch-path .build/address --filter '$(SANITIZED)'
	ASAN_OPTIONS=detect_leaks=0 $(SANITIZE) --sanitize=address --scratch-path .build/address --skip-build \
		--filter '$(SANITIZED_ON_LIBRARIES)' --skip '$(TIMED)'

churn: ## Open and drop 100,000 connections
	CHURN_CONNECTIONS=100000 swift test --filter ChurnTests

demo-starvation: ## Show three ways to starve Swift's pool, and how each is diagnosed and cured
	swift run --quiet --package-path Examples/Starvation --scratch-path Examples/.build

bench: ## Measure the service against the limit without HTTP
	@scripts/setup test
	@$(MAKE) $(BINARY)
	Benchmarks/run

bench-http: ## Measure the HTTP server beside nginx
	@scripts/setup test
	Benchmarks/run-http

bench-concurrency: ## Compare four ways of analysing IMAGES (1,000) photos at once
	@scripts/setup test
	@scripts/setup plot
	Benchmarks/run-concurrency $(if $(IMAGES),--images $(IMAGES)) $(if $(ROUNDS),--rounds $(ROUNDS))

bench-load: ## Load the service: PARTS of storm, memory, batch, throughput (all)
	@scripts/setup test
	@$(MAKE) $(BINARY)
	Benchmarks/run-load $(PARTS) $(if $(CLIENTS),--clients $(CLIENTS)) $(if $(IMAGES),--images $(IMAGES))

bench-alarms: ## See whether the pool's monitor keeps quiet: full load for MINUTES (20), one core, a quota (as root), …
	@scripts/setup test
	@$(MAKE) $(BINARY)
	.deps/venv/bin/python Benchmarks/bench_alarms.py --service $(BINARY) $(PARTS) $(if $(MINUTES),--minutes $(MINUTES))

bench-pool: ## Measure what the monitor of Swift's pool costs, with PAIRS (6) of runs under load
	@scripts/setup test
	@$(MAKE) $(BINARY)
	.deps/venv/bin/python Benchmarks/bench_pool.py --service $(BINARY) $(if $(PAIRS),--pairs $(PAIRS))

test-container: ## Build the image and the compose stack, and ask both
	scripts/test-container

clean: ## Remove what was built, but not what was fetched
	rm -rf .build Benchmarks/.build Examples/.build
