#!/usr/bin/env python3
"""Whether the settings of `auto` are an accident of the files: a grid of settings, the best on all files, and for each file (and for
each kernel, the part of a file's name before '-') what the settings chosen without it would have cost on it.

usage: search_settings.py BENCH_SEARCH [--seeds N] [--grid NAME=A,B ...] FILE...
"""
import argparse
import itertools
import math
import os
import subprocess
import tempfile

import search_report

GRID = ["initial=2,4,8", "explore=2,3,5", "elites=4,8"]


def measure(program, seeds, setting, files):
    """Mean logarithm of the evaluations to 98 % for each file: of all runs, which is steadier than their median."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "runs.csv")
        sets = [word for name_value in setting for word in ("--set", name_value)]
        subprocess.run([program, "--seeds", str(seeds), "--evaluations", str(search_report.LIMIT), "--strategies", "auto",
                        "--traces", path, *sets, *files], check=True, stdout=subprocess.DEVNULL)
        runs, optima = search_report.read([path])
    return {name: sum(math.log(min(search_report.LIMIT, search_report.reached(steps, optima[name][1], 0.98, 0)))
                      for steps in of_file) / len(of_file) for name, of_file in runs["fsattn", "auto"].items()}


def best_without(results, names):
    return min(results, key=lambda setting: sum(cost for name, cost in results[setting].items() if name not in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--grid", action="append", help=f"values of an option, repeatable (default: {' '.join(GRID)})")
    options = parser.parse_args()
    axes = [[f"{axis.partition('=')[0]}={value}" for value in axis.partition("=")[2].split(",")]
            for axis in options.grid or GRID]
    results = {}
    for setting in itertools.product(*axes):
        results[setting] = measure(options.program, options.seeds, setting, options.files)
        cells = " ".join(f"{name} {math.exp(cost):.1f}" for name, cost in sorted(results[setting].items()))
        print(f"{' '.join(setting):40} {math.exp(sum(results[setting].values()) / len(results[setting])):6.1f}   {cells}",
              flush=True)
    names = sorted(next(iter(results.values())))
    groups = [[name] for name in names]
    groups += [[name for name in names if name.split("-")[0] == kernel] for kernel in sorted({name.split("-")[0] for name in names})]
    chosen = best_without(results, [])
    print(f"chosen on all files: {' '.join(chosen)}")
    for group in groups:
        other = best_without(results, group)
        here = lambda setting: math.exp(sum(results[setting][name] for name in group) / len(group))
        print(f"left out {', '.join(group)}: {' '.join(other)}; there {here(other):.1f} evaluations, {here(chosen):.1f} with those of all"
              f" files, {min(map(here, results)):.1f} with its own best")


if __name__ == "__main__":
    main()
