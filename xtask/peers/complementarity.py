"""The figures of DAQP, quadprog, PIQP and Clarabel in docs/comparison.md, on contact problems that this makes.

    python3 -m venv peers && peers/bin/pip install -r xtask/peers/requirements.txt
    peers/bin/python xtask/peers/complementarity.py problems
    cargo run --release -p xtask -- bench lcp problems --auto

The first command writes the problems into the folder and prints the times of the peers, the second measures engine2d on them. Stacks
have two contacts between neighbours, pyramids of equal blocks likewise (half of their rows are redundant), and the dense ones are of
random rows of half the rank that would make them definite. All have an answer: `b = J u` with accelerations `u`.

A peer gets either of the two quadratic programs of the problem, of the forces (`min f.Af/2 + b.f, f >= 0`) or of the accelerations
(Gauss: `min (v - u).M(v - u)/2, Jv >= 0`), whichever it solves faster, ready formed; its time is that of set-up and solution. An answer
counts if `|min(A_ii f_i, w_i)| <= 1e-8 max|b|` for all rows, with `w` computed here.
"""

import argparse
import gzip
import json
import statistics
import time
from importlib.metadata import version
from pathlib import Path

import clarabel
import daqp
import numpy as np
import piqp
import quadprog
import scipy.sparse as sparse

FAMILIES = ("stack", "pyramid", "rand_psd")
SIZES = (10, 50, 100, 200)
INSTANCES = 5
REPEATS = 7
# What an answer may leave, relative to the largest entry of b.
SOLVED = 1e-8
GRAVITY = 10.0


class Problem:
    """The rows J, inverse masses and free accelerations of a contact problem, as they are written: to five decimals."""

    def __init__(self, rows, inverse_mass, free):
        self.rows = np.round(rows, 5)
        self.inverse_mass = np.round(inverse_mass, 5)
        self.free = np.round(free, 5)
        self.a = self.rows @ np.diag(self.inverse_mass) @ self.rows.T
        self.b = self.rows @ self.free

    def residual(self, f):
        w = self.a @ f + self.b
        left = np.abs(np.minimum(np.diag(self.a) * f, w)).max()
        return left / np.abs(self.b).max() if np.isfinite(left) else np.inf

    def as_json(self, name, family, target):
        compressed = sparse.csr_matrix(self.rows)
        return {
            "id": name, "family": family, "target_n": target, "seed": 0, "mode": "gravity",
            "n": self.rows.shape[0], "n_joint": 0, "n_dof": self.rows.shape[1],
            "minv": self.inverse_mass.tolist(), "u": self.free.tolist(),
            "j_ptr": compressed.indptr.tolist(), "j_col": compressed.indices.tolist(),
            "j_val": compressed.data.tolist(),
        }


def blocks(places, widths, contacts, rng):
    """Blocks of height 1 at places, with contacts at heights: (upper block, lower one or None, x)."""
    rows = np.zeros((len(contacts), 3 * len(places)))
    for row, (upper, lower, x) in zip(rows, contacts):
        row[3 * upper + 1 : 3 * upper + 3] = 1.0, x - places[upper]
        if lower is not None:
            row[3 * lower + 1 : 3 * lower + 3] = -1.0, places[lower] - x
    mass = rng.uniform(0.5, 1.5, len(places)) * widths
    inverse = np.stack([1 / mass, 1 / mass, 12 / (mass * (1 + widths**2))], axis=1).ravel()
    free = rng.normal(0.0, 3.0, (len(places), 3)) + [0.0, -GRAVITY, 0.0]
    return Problem(rows, inverse, free.ravel())


def stack(n, rng):
    count = n // 2
    widths, places = rng.uniform(0.8, 1.2, count), rng.uniform(-0.1, 0.1, count)
    contacts = []
    for k in range(count):
        left, right = places[k] - widths[k] / 2, places[k] + widths[k] / 2
        if k > 0:
            left = max(left, places[k - 1] - widths[k - 1] / 2)
            right = min(right, places[k - 1] + widths[k - 1] / 2)
        contacts += [(k, k - 1 if k > 0 else None, x) for x in (left, right)]
    return blocks(places, widths, contacts, rng)


def pyramid(n, rng):
    layers = round((n / 2) ** 0.5)
    numbers = {(row, k): sum(layers - r for r in range(row)) + k for row in range(layers) for k in range(layers - row)}
    places = np.array([1.1 * (k + 0.5 * row) for row, k in numbers])
    contacts = []
    for (row, k), number in numbers.items():
        x = places[number]
        if row == 0:
            contacts += [(number, None, x - 0.5), (number, None, x + 0.5)]
        else:
            left, right = numbers[row - 1, k], numbers[row - 1, k + 1]
            contacts += [(number, left, x - 0.5), (number, left, places[left] + 0.5)]
            contacts += [(number, right, places[right] - 0.5), (number, right, x + 0.5)]
    return blocks(places, np.ones(len(places)), contacts, rng)


def rand_psd(n, rng):
    rank = n // 2
    return Problem(rng.normal(size=(n, rank)) / rank**0.5, np.ones(rank), rng.normal(size=rank))


def of_forces(problem):
    n = len(problem.b)
    return problem.a, problem.b, -np.eye(n), np.zeros(n)


def of_accelerations(problem):
    mass = 1.0 / problem.inverse_mass
    return np.diag(mass), -mass * problem.free, -problem.rows, np.zeros(len(problem.b))


# Each peer minimises x.Hx/2 + g.x with Cx <= d, and tells x and the multipliers.


def by_daqp(h, g, c, d):
    settings = {"primal_tol": 1e-10, "dual_tol": 1e-12}
    if np.linalg.matrix_rank(h) < len(g):
        settings["eps_prox"] = 1e-6
    run = lambda: daqp.solve(h, g, c, d, np.full(len(d), -1e30), np.zeros(len(d), dtype=np.int32), **settings)
    return lambda: (lambda answer: (answer[0], answer[3]["lam"]))(run())


def by_quadprog(h, g, c, d):
    np.linalg.cholesky(h)
    return lambda: (lambda answer: (answer[0], answer[4]))(quadprog.solve_qp(h, -g, -c.T, -d))


def by_piqp(h, g, c, d):
    def run():
        solver = piqp.DenseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = 1e-10
        solver.setup(h, g, None, None, c, None, d)
        solver.solve()
        return solver.result.x, solver.result.z_u

    return run


def by_clarabel(h, g, c, d):
    upper, rows = sparse.csc_matrix(np.triu(h)), sparse.csc_matrix(c)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10

    def run():
        solver = clarabel.DefaultSolver(upper, g, rows, d, [clarabel.NonnegativeConeT(len(d))], settings)
        answer = solver.solve()
        return np.array(answer.x), np.array(answer.z)

    return run


PEERS = {"daqp": by_daqp, "quadprog": by_quadprog, "piqp": by_piqp, "clarabel": by_clarabel}


def measure(peer, problem):
    """Median microseconds of the faster form whose answer counts; nothing if neither's does."""
    times = []
    for form in (of_forces, of_accelerations):
        try:
            run = peer(*form(problem))
            x, multipliers = run()
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            continue
        f = x if form is of_forces else multipliers
        if problem.residual(np.asarray(f)) > SOLVED:
            continue
        taken = []
        for _ in range(REPEATS):
            began = time.process_time_ns()
            run()
            taken.append((time.process_time_ns() - began) / 1e3)
        times.append(statistics.median(taken))
    return min(times, default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the problems are written")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    print(", ".join(f"{name} {version(name)}" for name in PEERS))
    print("| family | rows | " + " | ".join(PEERS) + " |")
    print("|---|---|" + "---|" * len(PEERS))
    for family in FAMILIES:
        for size in SIZES:
            rng = np.random.default_rng([FAMILIES.index(family), size])
            problems = [globals()[family](size, rng) for _ in range(INSTANCES)]
            instances = [p.as_json(f"{family}_n{size}_{k}", family, size) for k, p in enumerate(problems)]
            text = json.dumps({"schema": "lcp-contact/1", "family": family, "target_n": size, "instances": instances})
            with gzip.open(folder / f"{family}_n{size}.json.gz", "wt") as file:
                file.write(text)
            cells = []
            for peer in PEERS.values():
                times = [measure(peer, problem) for problem in problems]
                solved = [t for t in times if t is not None]
                if len(solved) == len(times):
                    cells.append(f"{statistics.median(solved):.3g}")
                else:
                    cells.append(f"solves {len(solved)} of {len(times)}")
            print(f"| {family} | {len(problems[0].b)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
