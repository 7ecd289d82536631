# Shortcuts; everything here is one go command or .ci/run.
.PHONY: build test race lint bench ci

build:
	go build -o bin/pregel ./cmd/pregel

test:
	go test ./...

race:
	go test -race ./...

lint:
	gofmt -l $$(git ls-files '*.go')
	go vet ./...
	go tool staticcheck ./...

bench: build
	bin/pregel bench kronecker --scale 20 --verify

ci:
	.ci/run
