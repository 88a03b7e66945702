# What a contributor runs. `make ci` is what continuous integration runs.

GO       ?= go
TOOL      = $(GO) tool -modfile=tools/go.mod
FUZZTIME ?= 30s
VERSION  ?=

LDFLAGS = -s -w $(if $(VERSION),-X github.com/fleetgate/fleetgate/internal/cli.version=$(VERSION))

.PHONY: all build test race fuzz bench lint docs ci release release-sums clean

all: build test

## build: the binary, ./fleetgate
build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o fleetgate .

## test: every test
test:
	$(GO) test ./...

## race: every test under the race detector
race:
	$(GO) test -race ./...

## fuzz: every fuzz target, FUZZTIME each
fuzz:
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done

## bench: every benchmark, with allocations
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

## lint: formatting, vet, staticcheck, workflows, go.mod
lint:
	@unformatted=$$($(TOOL) gofumpt -l .); test -z "$$unformatted" || { echo "not formatted:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	$(TOOL) actionlint
	$(GO) mod tidy -diff

## docs: rewrite what is generated: golden files, and the pages made from the code
docs:
	@set -e; for package in $$(grep -rl 'flag.Bool("update"' --include='*_test.go' . | xargs -n 1 dirname | sort -u); do \
		$(GO) test $$package -update; \
	done

## ci: what continuous integration runs
ci:
	./.ci/run

## release: the binaries of a release in dist/, VERSION=v1.2.3
release:
	release/build.sh "$(VERSION)" dist

## release-sums: the sums of a release in release/sums.txt, VERSION=v1.2.3; commit them, then tag that commit
release-sums:
	release/pin.sh "$(VERSION)"

clean:
	rm -rf fleetgate dist
