#!/usr/bin/env python3
"""What bench_search and search_kernel_tuner.py have measured, as a table, and on wish as part of a document and a picture.

usage: search_report.py [--document FILE.md] [--picture FILE.svg] RUNS.csv...

A run that never comes within 98 % counts with all the evaluations of the limit. Per file: the median (quartiles) over seeds; over
files: the geometric mean of the medians. The curve is optimum / best so far (0 while nothing works), the mean over seeds, then
files. In the document the lines between the two marks are replaced.
"""
import argparse
import collections
import math
import sys

TARGETS = (0.90, 0.95, 0.98)
LIMIT, CURVE = 1500, 200  # evaluations of a run at most; of the curve
MARKS = ("<!-- bench-search: begin -->", "<!-- bench-search: end -->")
NAMES = {"kernel_tuner": "Kernel Tuner", "fsattn": "fsattn"}


def read(paths):
    """{(tool, strategy): {file: [[(evaluation, seconds, cost), ...], ...]}}, {file: (configurations, optimum)}."""
    runs, optima = collections.defaultdict(lambda: collections.defaultdict(list)), {}
    for path in paths:
        with open(path) as lines:
            for line in lines:
                tool, name, *rest = line.rstrip("\n").split(",")
                if tool == "optimum":
                    optima[name] = (int(rest[0]), float(rest[1]))
                    continue
                strategy, _, _, steps = rest
                parsed = [step.split(":") for step in steps.split(";") if step]
                runs[tool, strategy][name].append([(int(n), float(s), float(cost)) for n, s, cost in parsed])
    return runs, optima


def reached(steps, optimum, target, column):
    for step in steps:
        if optimum / step[2] >= target:
            return step[column]
    return math.inf


def quantile(values, share):
    return sorted(values)[int(share * (len(values) - 1) + 0.5)]


def spread(values):
    low, middle, high = (quantile(values, share) for share in (0.25, 0.5, 0.75))
    if math.isinf(middle):
        return "-" if math.isinf(low) else f"- ({low:.0f}-)"
    return f"{middle:.0f} ({low:.0f}-{'' if math.isinf(high) else format(high, '.0f')})"


def geometric(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def judge(by_file, optima):
    """Evaluations and seconds to each target on each file, and the curve."""
    result = {"seeds": min(len(runs) for runs in by_file.values()), "evaluations": {}, "seconds": {}, "mean": {}}
    for name, runs in by_file.items():
        for target in TARGETS:
            result["evaluations"][name, target] = [reached(steps, optima[name][1], target, 0) for steps in runs]
            result["seconds"][name, target] = [reached(steps, optima[name][1], target, 1) for steps in runs]
    for target in TARGETS:
        lists = [result["evaluations"][name, target] for name in by_file]
        result["mean"][target] = geometric([min(LIMIT, quantile(values, 0.5)) for values in lists])
    result["average"] = geometric([sum(min(LIMIT, n) for n in result["evaluations"][name, 0.98]) / len(runs)
                                   for name, runs in by_file.items()])
    curves = []
    for name, runs in by_file.items():
        curve = [0.0] * CURVE
        for steps in runs:
            at, best = 0, 0.0
            for n in range(1, CURVE + 1):
                while at < len(steps) and steps[at][0] <= n:
                    best = optima[name][1] / steps[at][2]
                    at += 1
                curve[n - 1] += best / len(runs)
        curves.append(curve)
    result["curve"] = [sum(values) / len(curves) for values in zip(*curves)]
    return result


def label(key):
    return f"{NAMES.get(key[0], key[0])} {key[1]}"


def ranked(results):
    """Ours and theirs, each by evaluations to 98 %."""
    return sorted(results, key=lambda key: (key[0] != "fsattn", results[key]["mean"][0.98]))


def print_details(results, files, out):
    """Everything, for people who look closer."""
    print(f"median (quartiles) over seeds; geometric mean of medians, at most {LIMIT}\n{'':42}{'':20}"
          + "".join(f"{f'{target:.0%}':>18}" for target in TARGETS)
          + "".join(f"{f'{target:.0%} s':>18}" for target in TARGETS), file=out)
    for key in ranked(results):
        result = results[key]
        for name in files:
            cells = [spread(result[kind][name, target]) for kind in ("evaluations", "seconds") for target in TARGETS]
            print(f"{label(key):42}{name:20}" + "".join(f"{cell:>18}" for cell in cells), file=out)
        means = "".join(f"{result['mean'][target]:18.1f}" for target in TARGETS)
        points = " ".join(f"{n}: {result['curve'][n - 1]:.3f}" for n in (5, 10, 20, 50, 100, 200))
        print(f"{label(key):42}{'geometric mean':20}{means}   curve {points}", file=out)


def lines(rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def table(results, files):
    """Evaluations of all; then simulated seconds of the best of both and of random search."""
    head = ["strategy", "seeds", *files, "90 %", "95 %", "98 %", "98 %, of means", "curve at 20", "at 100"]
    rows = [head, ["---"] * len(head)]
    for key in ranked(results):
        result = results[key]
        rows.append([f"{NAMES.get(key[0], key[0])} `{key[1]}`", str(result["seeds"])]
                    + [spread(result["evaluations"][name, 0.98]) for name in files]
                    + [f"{result['mean'][target]:.1f}" for target in TARGETS]
                    + [f"{result['average']:.1f}", f"{result['curve'][19]:.3f}", f"{result['curve'][99]:.3f}"])
    theirs = [key for key in ranked(results) if key[0] == "kernel_tuner"][:1]
    seconds = [["simulated seconds to", "", *files], ["---"] * (len(files) + 2)]
    for key in [key for key in (("fsattn", "auto"), ("fsattn", "random")) if key in results] + theirs:
        for target in TARGETS:
            seconds.append([f"{NAMES.get(key[0], key[0])} `{key[1]}`", f"{target:.0%}"]
                           + [spread(results[key]["seconds"][name, target]) for name in files])
    return lines(rows) + "\n\n" + lines(seconds)


# ---- picture ----

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 440, 60, 250, 34, 46
COLOURS = ("#c0392b", "#2471a3", "#7d3c98", "#117a65", "#b9770e", "#5d6d7e", "#2e4053", "#884ea0")


def picture(results, best):
    """The curves of our default, of random search and of the best of Kernel Tuner."""
    theirs = [key for key in ranked(results) if key[0] == "kernel_tuner"][:best]
    chosen = [key for key in (("fsattn", "auto"), ("fsattn", "random")) if key in results] + theirs
    low = 0.5
    x_of = lambda n: LEFT + (WIDTH - LEFT - RIGHT) * math.log(n) / math.log(CURVE)
    y_of = lambda share: TOP + (HEIGHT - TOP - BOTTOM) * (1 - (max(share, low) - low) / (1 - low))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-size="14">optimum / best so far, mean over seeds and files</text>']
    for n in (1, 2, 5, 10, 20, 50, 100, 200):
        out.append(f'<path d="M{x_of(n):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e5e5e5"/>'
                   f'<text x="{x_of(n):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{n}</text>')
    for share in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        out.append(f'<path d="M{LEFT} {y_of(share):.1f}H{WIDTH - RIGHT}" stroke="#e5e5e5"/>'
                   f'<text x="{LEFT - 8}" y="{y_of(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">evaluations</text>')
    order = sorted(chosen, key=lambda key: -results[key]["curve"][49])
    for place, key in enumerate(order):
        colour, curve = COLOURS[chosen.index(key) % len(COLOURS)], results[key]["curve"]
        path = "M" + "L".join(f"{x_of(n):.1f} {y_of(curve[n - 1]):.1f}" for n in range(1, CURVE + 1) if curve[n - 1] >= low)
        width, y = (3 if key == ("fsattn", "auto") else 1.5), TOP + 14 + 20 * place
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
                   f'<path d="M{WIDTH - RIGHT + 14} {y - 4}h22" stroke="{colour}" stroke-width="{width}"/>'
                   f'<text x="{WIDTH - RIGHT + 42}" y="{y}">{label(key)}</text>')
    return "\n".join(out + ["</svg>\n"])


def replace_section(path, text):
    with open(path) as file:
        whole = file.read()
    before, found, rest = whole.partition(MARKS[0])
    _, ended, after = rest.partition(MARKS[1])
    if not found or not ended:
        sys.exit(f"search_report.py: {path}: expected {MARKS[0]} and {MARKS[1]}")
    with open(path, "w") as file:
        file.write(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--document", help="its marked section gets the table")
    parser.add_argument("--picture", help="SVG of the curves")
    parser.add_argument("--best", type=int, default=4, help="so many of Kernel Tuner's strategies are in the picture")
    options = parser.parse_args()
    runs, optima = read(options.runs)
    files = sorted(optima)
    results = {key: judge(by_file, optima) for key, by_file in runs.items() if set(by_file) == set(files)}
    for key in sorted(set(runs) - set(results)):
        print(f"{label(key)}: left out, not on all files", file=sys.stderr)
    print_details(results, files, sys.stdout)
    if options.document:
        replace_section(options.document, table(results, files))
    if options.picture:
        with open(options.picture, "w") as file:
            file.write(picture(results, options.best))


if __name__ == "__main__":
    main()
