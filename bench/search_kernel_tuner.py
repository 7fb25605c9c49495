#!/usr/bin/env python3
"""Kernel Tuner's strategies in its simulation mode, on cache files; one line for each run, as bench_search writes them.

usage: search_kernel_tuner.py --out OUT.csv [--seeds N] [--evaluations N] [--seconds S] [--strategies a,b] [--jobs N] FILE...

The cost is what bench_search uses: the median of times[1:]; everything else is Kernel Tuner's default. A line is
    kernel_tuner,FILE,STRATEGY,SEED,EVALUATIONS,TRACE
where TRACE holds every improvement as evaluation:simulated_seconds:cost_ms, joined by ';'. An evaluation is a distinct
configuration, failures included; repeats are free, and so are configurations that the constraints refuse. A run ends at
98 % of the optimum, but not before the curve's evaluations. Seed by seed, so that it can be stopped at any time: lines are appended as
runs end, and runs that OUT.csv has already are not repeated. With --seconds no run is begun later.
"""
import argparse
import gzip
import json
import multiprocessing
import os
import random
import statistics
import sys
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # a process for each run is parallel enough
warnings.filterwarnings("ignore")

# All that optimise one objective. skopt and pyatf_strategies wrap packages that do not come with it, the nsga ones are for several.
STRATEGIES = [
    "random_sample", "greedy_ils", "greedy_mls", "ordered_greedy_mls", "mls", "genetic_algorithm", "diff_evo",
    "simulated_annealing", "dual_annealing", "pso", "firefly_algorithm", "basinhopping", "minimize", "bayes_opt",
    "hybrid_vndx", "adaptive_tabu_greywolf",
]

# A run of these takes minutes.
SEEDS_AT_MOST = {"bayes_opt": 20}

REACHED, CURVE = 0.98, 200  # as in bench_search.c


def load(path):
    """The cache with the cost as `time` and failures as Kernel Tuner's own."""
    from kernel_tuner import util

    errors = {
        "InvalidConfig": util.InvalidConfig,
        "CompilationFailedConfig": util.CompilationFailedConfig,
        "RuntimeFailedConfig": util.RuntimeFailedConfig,
    }
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as file:
        data = json.load(file)
    for entry in data["cache"].values():
        time = entry["time"]
        if isinstance(time, str):
            entry["__error__"] = errors.get(time, util.RuntimeFailedConfig)()
        else:
            times = entry.get("times") or [time]
            entry["time"] = float(statistics.median(times[1:] if len(times) > 1 else times))
        entry.pop("times", None)
    return data


def make_runner(options, trace, least):
    from kernel_tuner import util
    from kernel_tuner.runners.simulation import SimulationRunner

    class Recorder(SimulationRunner):
        """Notes the cost and the simulated time of each new configuration."""

        best = float("inf")

        def run(self, parameter_space, tuning_options):
            results = []
            for element in parameter_space:
                key = ",".join(str(i) for i in element)
                new = key not in self.visited_results and not tuning_options.budget.is_done()
                results += super().run([element], tuning_options)
                if new and key in self.visited_results:
                    cost = tuning_options.cache[key]["time"]
                    trace.append((cost if isinstance(cost, float) else float("inf"), self.total_simulated_time / 1000))
                    self.best = min(self.best, trace[-1][0])
                    if len(trace) >= CURVE and self.best <= least / REACHED:
                        raise util.StopCriterionReached("the best is good enough")
            return results

    return Recorder(None, options, options, 7, [])


def one_run(job):
    path, strategy, seed, evaluations, timeout, deadline = job
    if time.time() >= deadline:
        return None
    import signal

    import numpy
    from kernel_tuner import interface, util
    from kernel_tuner.searchspace import Searchspace

    data = loaded[path]
    random.seed(seed)
    numpy.random.seed(seed)
    searchspace = Searchspace(None, None, None, from_cache=data)
    budget = min(evaluations, searchspace.size)
    options = interface.Options(
        kernel_name=data["kernel_name"], quiet=True, tune_params=data["tune_params"], objective=["time"],
        objective_higher_is_better=[False], restrictions=[], strategy_options=interface.Options(max_fevals=budget),
        cache=data["cache"], cachefile=None, metrics=None, verbose=False, max_fevals=budget, snap=True, eps=1.0, seed=seed,
    )
    dict.__setitem__(options, "budget", util.TuningBudget(None, budget))
    least = min(entry["time"] for entry in data["cache"].values() if isinstance(entry["time"], float))
    trace = []
    runner = make_runner(options, trace, least)
    status = ""
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(util.StopCriterionReached("timeout")))
    signal.alarm(timeout)
    stdout = sys.stdout
    sys.stdout = open(os.devnull, "w")
    try:
        interface.strategy_map[strategy].tune(searchspace, runner, options)
    except util.StopCriterionReached:
        pass
    except Exception as error:  # a strategy that breaks has had the evaluations it had
        status = f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        sys.stdout.close()
        sys.stdout = stdout
    if status and not trace:
        print(f"{path}: {strategy}: seed {seed}: {status}", file=sys.stderr)
        return None
    best, steps = float("inf"), []
    for number, (cost, seconds) in enumerate(trace, 1):
        if cost < best:
            best = cost
            steps.append(f"{number}:{seconds:.3f}:{cost:.9g}")
    return f"kernel_tuner,{name_of(path)},{strategy},{seed},{len(trace)},{';'.join(steps)}"


def runs_in(path):
    """The runs that a file has, by file, strategy and seed; a line that was cut off is removed."""
    if not os.path.exists(path):
        return set()
    with open(path, "r+") as file:
        text = file.read()
        whole = text[: text.rfind("\n") + 1]
        file.truncate(len(whole.encode()))
    return {tuple(line.split(",")[1:4]) for line in whole.splitlines() if line.startswith("kernel_tuner,")}


def name_of(path):
    return os.path.basename(path).removesuffix(".gz").removesuffix(".json")


loaded = {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--out", required=True, help="runs are appended there, and those that it has are not repeated")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--evaluations", type=int, default=1500)
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one run; it is cut there")
    parser.add_argument("--seconds", type=float, default=1e9, help="no run is begun later than this after the start")
    options = parser.parse_args()
    deadline = time.time() + options.seconds
    for path in options.files:
        loaded[path] = load(path)  # before the processes fork
    done = runs_in(options.out)
    jobs = [
        (path, strategy, seed, options.evaluations, options.timeout, deadline)
        for seed in range(1, options.seeds + 1) for strategy in options.strategies.split(",") for path in options.files
        if (name_of(path), strategy, str(seed)) not in done and seed <= SEEDS_AT_MOST.get(strategy, seed)
    ]
    print(f"{options.out}: {len(done)} runs are there, {len(jobs)} to come", file=sys.stderr)
    with multiprocessing.Pool(options.jobs) as pool, open(options.out, "a") as out:
        for line in pool.imap_unordered(one_run, jobs, chunksize=1):
            if line:
                print(line, file=out, flush=True)


if __name__ == "__main__":
    main()
