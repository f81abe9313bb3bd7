# `make` lists what there is.
MAKEFLAGS += --no-print-directory
BINARY := .build/release/embedd
# The folders too: their times tell of files that are gone.
SOURCES := Package.swift $(shell find Sources)
FORMATTED := Package.swift Sources Tests Benchmarks Fuzzing

.PHONY: help setup release run test lint format fuzz sanitize churn bench bench-http test-container clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install and fetch what a build needs
	@scripts/setup

release: setup $(BINARY) ## Build the release binary

$(BINARY): $(SOURCES)
	swift build -c release --static-swift-stdlib --product embedd
	@touch $@

run: release ## Start the service on port 8080
	@scripts/run $(BINARY)

test: ## Run the whole test suite
	@scripts/setup test
	@$(MAKE) $(BINARY)
	EMBEDD_BINARY=$(abspath $(BINARY)) swift test

lint: ## Check the layout of the code
	swift format lint --strict --recursive --parallel $(FORMATTED)

format: ## Bring the code into its layout
	swift format --in-place --recursive --parallel $(FORMATTED)

SECONDS ?= 60

fuzz: ## Run each fuzzer of the HTTP parsers for SECONDS (60)
	Fuzzing/run $(SECONDS)

# The rooms without outside libraries. One test at a time: ten times slower, they would starve each other of the pool.
# Without XCTest, which has no tests here but leaks.
SANITIZED := ^(Threads|Scheduling|Telemetry|HTTPWire|HTTPServer)Tests\.

sanitize: ## Test the server's rooms with ThreadSanitizer and AddressSanitizer
	swift test --sanitize=thread --scratch-path .build/thread --no-parallel --disable-xctest --filter '$(SANITIZED)'
	LSAN_OPTIONS=suppressions=$(abspath scripts/lsan.supp) swift test --sanitize=address --scratch-path .build/address --no-parallel --disable-xctest --filter '$(SANITIZED)'

churn: ## Open and drop 100,000 connections
	CHURN_CONNECTIONS=100000 swift test --filter ChurnTests

bench: ## Measure the service against the limit without HTTP
	@scripts/setup test
	@$(MAKE) $(BINARY)
	Benchmarks/run

bench-http: ## Measure the HTTP server beside nginx
	@scripts/setup test
	Benchmarks/run-http

test-container: ## Build the image and the compose stack, and ask both
	scripts/test-container

clean: ## Remove what was built, but not what was fetched
	rm -rf .build Benchmarks/.build
