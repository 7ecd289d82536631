# Shortcuts; everything here is one go command or a script in .ci.
SHELL := bash
.PHONY: build gpu test gpu-test emulate race lint bench bench-compare ci

build:
	go build -o bin/pregel ./cmd/pregel

# .ci/cuda finds a CUDA toolkit, or says what is missing.
gpu:
	@variables=$$(.ci/cuda) && eval "$$variables" && go build -tags cuda -o bin/pregel ./cmd/pregel && \
	echo "bin/pregel is built with the toolkit in $$CUDA_HOME" && \
	echo "should it not start, or not find NVRTC: export LD_LIBRARY_PATH=$$LD_LIBRARY_PATH"

test:
	go test ./...

gpu-test:
	@variables=$$(.ci/cuda) && eval "$$variables" && .ci/gpu-test

# The GPU engine's tests on an emulated device; .ci/emulate full is the whole suite.
emulate:
	.ci/emulate

race:
	go test -race ./...

lint:
	gofmt -l $$(git ls-files '*.go')
	go vet ./...
	go tool staticcheck ./...
	@if variables=$$(.ci/cuda); then eval "$$variables" && set -x && go vet -tags cuda ./... && go tool staticcheck -tags cuda ./...; \
	else echo "not checked with the tag cuda"; fi

bench: build
	bin/pregel bench kronecker --scale 20 --verify

# make bench-compare REF=main~1 BENCH="kronecker --scale 18 --programs bfs": the
# working tree against a commit; .ci/bench-compare says which variables there are.
bench-compare:
	.ci/bench-compare "$(REF)"

ci:
	.ci/run
