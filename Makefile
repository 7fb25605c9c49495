# Thin front of CMake and the two commands of the README. Everything builds in build/.
BUILD ?= build
JOBS ?= $(shell nproc)

.PHONY: all setup tune test test-torch bench bench-search clean

all: setup
	cmake -S . -B $(BUILD) -G Ninja
	cmake --build $(BUILD) -j $(JOBS)

# Installs the Debian packages that are missing; does nothing when all are there.
setup:
	tools/setup

tune: all
	tools/tune-host $(BUILD)

test: all
	tools/test $(BUILD)

# The Python package on PyTorch tensors; gets PyTorch from Debian sid at the first run.
test-torch: all
	tools/test-torch $(BUILD)

bench: all
	tools/bench $(BUILD)

# Search strategies on measured spaces (FILES=FOLDER), beside Kernel Tuner's; gets kernel-tuner from PyPI at the first run.
bench-search: all
	tools/bench-search $(BUILD)

clean:
	rm -rf $(BUILD) build-*
