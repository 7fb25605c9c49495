#!/usr/bin/env python3
"""Valid sets of the same definitions, built here and by Kernel Tuner: sizes, times, and whether both are what a filter leaves.

usage: space_kernel_tuner.py BENCH_SPACE DEFINITION.json...      (BENCH_SPACE: build/bin/bench_space)

Definitions are converted by tools/space-from-json. Times are the best of three, to build from parameters and conditions that are read
already: fsattn_enumeration_create, and kernel_tuner.searchspace.Searchspace with its default constraint solver. Sets are compared,
configuration by configuration, with all combinations filtered by the Python conditions, up to LIMIT of them.
"""
import importlib.machinery
import importlib.util
import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 5_000_000


def converter():
    path = os.path.join(HERE, "..", "tools", "space-from-json")
    loader = importlib.machinery.SourceFileLoader("space_from_json", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("space_from_json", loader))
    loader.exec_module(module)
    return module


def filtered(parameters, conditions):
    names = [name for name, _, _ in parameters]
    test = eval("lambda " + ", ".join(names) + ": " + (" and ".join(f"({c})" for c in conditions) or "True"))
    return {values for values in itertools.product(*(v for _, v, _ in parameters)) if test(*values)}


def ours(bench, space, parameters):
    best = math.inf
    for _ in range(3):
        lines = subprocess.run([bench, "--only", space], capture_output=True, text=True, check=True).stdout.splitlines()
        row = next(line for line in lines if line.startswith(os.path.basename(space))).split()
        best = min(best, float(row[8]) / 1e3)
    listed = subprocess.run([bench, "--print", space], capture_output=True, text=True, check=True).stdout.splitlines()
    order = [name.lower() for name, _, _ in parameters]
    found = set()
    for line in listed:
        pairs = dict(pair.split("=") for pair in line.split())
        found.add(tuple(int(pairs[name]) for name in order))
    return found, best


def kernel_tuner(parameters, conditions):
    from kernel_tuner.searchspace import Searchspace

    best = math.inf
    for _ in range(3):
        began = time.perf_counter()
        space = Searchspace({name: list(values) for name, values, _ in parameters}, list(conditions), 1 << 40)
        best = min(best, time.perf_counter() - began)
    return set(tuple(entry) for entry in space.list), best


def main():
    bench, tool = sys.argv[1], converter()
    print(f"{'definition':22} {'raw':>10} {'valid':>8} {'ours':>10} {'Kernel Tuner':>13} {'factor':>7}  sets")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sys.argv[2:]:
            tool.convert(path, folder)
            name = os.path.basename(path).removesuffix(".json")
            parameters, conditions = tool.read(path)
            raw = math.prod(len(values) for _, values, _ in parameters)
            mine, mine_s = ours(bench, os.path.join(folder, "spaces", name + ".yaml"), parameters)
            theirs, theirs_s = kernel_tuner(parameters, conditions)
            verdict = "ours = Kernel Tuner" if mine == theirs else f"DIFFER: {len(mine)} and {len(theirs)}"
            if raw <= LIMIT:
                verdict += " = filter" if mine == filtered(parameters, conditions) else ", FILTER DIFFERS"
            ratios.append(theirs_s / mine_s)
            print(f"{name:22} {raw:10} {len(mine):8} {mine_s * 1e3:7.2f} ms {theirs_s * 1e3:10.2f} ms {ratios[-1]:6.1f}x  {verdict}",
                  flush=True)
    print(f"geometric mean of the factors: {math.prod(ratios) ** (1 / len(ratios)):.1f}")


if __name__ == "__main__":
    main()
