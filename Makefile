# Everything that is built, run, checked and measured here. `make run` needs Go alone.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

PORT ?= 8080
GO_PLATFORMS := linux/amd64 linux/arm64 windows/amd64 windows/arm64 darwin/amd64 darwin/arm64

.PHONY: run dist desktop dist-desktop test test-fast test-wasm test-browser test-desktop lint golden fonts bench shots

# Builds the site into dist/ and serves it on 127.0.0.1. PORT=8090 make run takes another port.
run:
	@PORT=$(PORT) go run ./cmd/lesson serve

# Builds the site as it is published: compressed as far as it goes.
dist:
	go run ./cmd/dist -out dist

# Opens the lessons in a window.
desktop:
	go run ./cmd/desktop

# Builds the window's program for every system, with no C compiler.
dist-desktop:
	@for platform in $(GO_PLATFORMS); do \
		os=$${platform%/*} arch=$${platform#*/} ending=; \
		if [ $$os = windows ]; then ending=.exe; fi; \
		echo "dist-desktop: $$platform"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags='-s -w' \
			-o dist/desktop/groupscope-$$os-$$arch$$ending ./cmd/desktop; \
	done

# All tests, the cheap ones first.
test: lint test-fast test-wasm test-browser test-desktop

# What needs neither display nor browser.
test-fast:
	@echo "test-fast: everything that needs neither display nor browser"
	go test ./...

# The model gives the same trace compiled for the browser as compiled for this machine.
test-wasm:
	@web/install.sh nodejs
	@echo "test-wasm: the traces of all lessons under Node"
	go test -tags node -count=1 -run Node ./cmd/lesson

# The page in a real Chromium.
test-browser:
	@web/install.sh chromium
	@echo "test-browser: the page in Chromium"
	go test -tags browser -count=1 ./web/...

# The window on a virtual screen.
test-desktop:
	@web/install.sh display
	@echo "test-desktop: the window under Xvfb"
	xvfb-run -a -s '-screen 0 1600x1200x24' go test -tags display -count=1 ./render/paint/... ./cmd/desktop/...

lint:
	@echo "lint: formatting, vet"
	@unformatted=$$(gofmt -l cmd core lessons render wasm web); \
		if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags 'browser display node' ./...
	GOOS=js GOARCH=wasm go vet ./wasm ./render/app

# Writes the golden files anew; read the difference before committing it.
golden:
	GOLDEN=1 go test -count=1 ./core/... ./lessons/... ./render/...

# Makes the fonts again from their published packages and the words in the tree.
fonts:
	render/fonts/subset.sh

# Prints what costs what, beside a bare Ebitengine program built in the same run.
bench:
	@web/install.sh chromium
	go run ./cmd/bench

# Pictures of every lesson's beats, in shots/.
shots:
	@web/install.sh display
	xvfb-run -a -s '-screen 0 1600x1200x24' go run ./cmd/desktop -shots shots
