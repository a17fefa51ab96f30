"""Mechanisms, complementarity problems, convex shapes."""

import math

import engine2d
import numpy as np
import pytest


def test_stacked_blocks_dense_sparse_and_by_their_jacobian():
    sparse = pytest.importorskip("scipy.sparse")
    a, b = np.array([[2.0, -1.0], [-1.0, 1.0]]), np.array([0.0, -9.81])
    jacobian = np.array([[-1.0, 1.0], [1.0, 0.0]])
    problems = [a, a.tolist(), sparse.csr_matrix(a), (jacobian, [1.0, 1.0]), (sparse.csc_matrix(jacobian), [1.0, 1.0])]
    for problem in problems[:3]:
        solution = engine2d.solve_lcp(problem, b)
        assert solution.solved and solution.status == "solved" and solution.certificate <= 1e-10
        assert solution.f == pytest.approx([9.81, 19.62]) and solution.a == pytest.approx([0.0, 0.0], abs=1e-12)
        assert solution.sets == ["clamped", "clamped"]
    dense = jacobian @ jacobian.T
    for problem in problems[3:]:
        by_rows = engine2d.solve_lcp(problem, b, ["unilateral", "bilateral"])
        by_matrix = engine2d.solve_lcp(dense, b, ["unilateral", "bilateral"])
        assert by_rows.f == pytest.approx(by_matrix.f) and by_rows.certificate <= 1e-10


def test_kinds_with_numbers():
    eye = np.eye(2)
    boxed = engine2d.solve_lcp(eye, [-5.0, -1.0], [("boxed", -2.0, 2.0), ("boxed", -math.inf, math.inf)])
    assert boxed.f.tolist() == [2.0, 1.0] and boxed.sets[0] == "upper"
    friction = engine2d.solve_lcp(eye, [-10.0, -8.0], ["unilateral", ("friction", 0, 0.5)])
    assert friction.f == pytest.approx([10.0, 5.0])


def test_what_has_no_solution_is_proven():
    solution = engine2d.solve_lcp([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0])
    assert solution.status == "infeasible" and not solution.solved
    assert np.dot(solution.ray, [-1.0, -1.0]) < 0 and (solution.ray >= 0).all()


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((np.eye(2), [1.0, 2.0], ["unilateral", ("boxed", 1.0)]), "kinds[1]"),
        ((np.eye(2), [1.0, 2.0], ["unilateral", 3]), "kinds[1]"),
        (([1.0, 2.0], [1.0, 2.0]), "A"),
        ((np.eye(2), "text"), "b"),
        ((np.eye(2), [1.0]), None),
        (([[1.0, 2.0], [0.0, 1.0]], [1.0, 1.0]), None),
    ],
)
def test_malformed_problems_are_refused(arguments, path):
    with pytest.raises(engine2d.LcpError) as caught:
        engine2d.solve_lcp(*arguments)
    assert caught.value.path == path
    with pytest.raises(engine2d.LcpError, match="none of auto"):
        engine2d.solve_lcp(np.eye(1), [1.0], method="magic")


def test_a_pendulum_and_its_reaction():
    mechanism = engine2d.Mechanism()
    mechanism.set_gravity((0.0, -9.81))
    rod = mechanism.add_body(1.0, 1.0 / 12.0, center=(0.5, 0.0))
    pin = mechanism.revolute((rod, (0.0, 0.0)), (None, (0.0, 0.0)), name="pivot")
    with pytest.raises(engine2d.MechanismError, match="solve_accelerations"):
        mechanism.reaction(pin)
    assert mechanism.assemble()["position_error"] <= 1e-12
    acceleration = mechanism.solve_accelerations()
    assert acceleration[rod] == pytest.approx([0.0, 0.0, -1.5 * 9.81])
    point, force, torque = mechanism.reaction(pin)
    assert point == (0.0, 0.0) and force == pytest.approx((0.0, 9.81 / 4.0)) and torque == 0.0
    assert mechanism.force_on(pin)[1] == pytest.approx(-9.81 / 4.0)
    found = mechanism.mobility()
    assert (found["degrees_of_freedom"], found["rank"], found["redundant"]) == (1, 2, [])
    assert mechanism.names == ["pivot"] and mechanism.conflict is None


def test_a_four_bar_is_assembled_and_redundancy_named():
    mechanism = engine2d.Mechanism()
    crank = mechanism.add_body(1.0, 0.1, (0.0, 0.0), 1.2)
    coupler = mechanism.add_body(1.0, 0.3, (0.4, 0.9), 0.1)
    rocker = mechanism.add_body(1.0, 0.3, (3.0, 0.0), 1.6)
    mechanism.revolute((crank, (0.0, 0.0)), (None, (0.0, 0.0)))
    mechanism.revolute((coupler, (0.0, 0.0)), (crank, (1.0, 0.0)))
    mechanism.revolute((coupler, (3.0, 0.0)), (rocker, (2.0, 0.0)))
    mechanism.revolute((rocker, (0.0, 0.0)), (None, (3.0, 0.0)))
    mechanism.assemble()
    x, y, angle = mechanism.coordinates[crank]
    x2, y2, _ = mechanism.coordinates[coupler]
    assert (x2 - x, y2 - y) == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-9)
    assert mechanism.mobility()["degrees_of_freedom"] == 1
    with pytest.raises(engine2d.MechanismError) as caught:
        mechanism.rod((crank, (0.0, 0.0)), (None, (9.0, 0.0)), 1.0)
        mechanism.assemble()
    assert caught.value.path is not None


def test_inverse_dynamics_of_an_arm_of_two_links():
    lengths, masses, g = (0.5, 0.4), (2.0, 1.5), 9.81
    mechanism = engine2d.Mechanism()
    mechanism.set_gravity((0.0, -g))
    links = [
        mechanism.add_body(m, m * l * l / 12.0, (0.5 * k, 0.0), center=(l / 2, 0.0))
        for k, (m, l) in enumerate(zip(masses, lengths))
    ]
    mechanism.revolute((links[0], (0.0, 0.0)), (None, (0.0, 0.0)))
    mechanism.revolute((links[1], (0.0, 0.0)), (links[0], (lengths[0], 0.0)))
    shoulder = mechanism.prescribe_angle(links[0], None)
    elbow = mechanism.prescribe_angle(links[1], links[0])
    q1, v1, a1, q2, v2, a2 = 0.3, 1.1, -0.7, 0.5, -0.4, 2.0
    efforts = mechanism.inverse_dynamics({shoulder: (q1, v1, a1), elbow: (q2, v2, a2)})
    (l1, l2), (m1, m2) = lengths, masses
    c1, c2 = l1 / 2, l2 / 2
    i1, i2 = m1 * l1 * l1 / 12.0, m2 * l2 * l2 / 12.0
    couple = m2 * l1 * c2
    m12 = i2 + m2 * c2 * c2 + couple * math.cos(q2)
    m11 = i1 + m1 * c1 * c1 + m2 * l1 * l1 + couple * math.cos(q2) + m12
    h, g2 = couple * math.sin(q2), m2 * g * c2 * math.cos(q1 + q2)
    g1 = (m1 * c1 + m2 * l1) * g * math.cos(q1) + g2
    assert efforts[shoulder] == pytest.approx(m11 * a1 + m12 * a2 - h * (2 * v1 * v2 + v2 * v2) + g1, abs=1e-9)
    assert efforts[elbow] == pytest.approx(m12 * a1 + (i2 + m2 * c2 * c2) * a2 + h * v1 * v1 + g2, abs=1e-9)
    with pytest.raises(engine2d.MechanismError, match="no prescribed motion"):
        mechanism.set_motion(0, 0.0, 0.0, 0.0)
    with pytest.raises(engine2d.MechanismError, match="there is no constraint 9"):
        mechanism.multipliers(9)


def test_distances_of_convex_shapes():
    disc, box = engine2d.Shape.circle(1.0), engine2d.Shape.rectangle(2.0, 0.5)
    gap, normal, point_a, point_b = engine2d.distance(disc, (0.0, 2.0, 0.0), box, (0.0, 0.0, 0.0))
    assert gap == pytest.approx(0.5) and normal == pytest.approx((0.0, 1.0))
    assert point_a == pytest.approx((0.0, 1.0)) and point_b == pytest.approx((0.0, 0.5))
    assert engine2d.distance(disc, (0.0, 1.25, 0.0), box, (0.0, 0.0, 0.0))[0] == pytest.approx(-0.25)
    assert box.contains((1.0, 0.0, math.pi / 2), (1.4, 1.9)) and not box.contains((0.0, 0.0, 0.0), (0.0, 0.6))
    assert box.cast_ray((0.0, 0.0, 0.0), (0.0, 5.0), (0.0, -1.0))[0] == pytest.approx(4.5)
    with pytest.raises(engine2d.GeometryError):
        engine2d.Shape.circle(-1.0)


def test_matrices_without_symmetry_and_time_limits():
    sparse = pytest.importorskip("scipy.sparse")
    a, b = np.array([[2.0, 1.0], [-1.0, 2.0]]), np.array([-5.0, -1.0])
    with pytest.raises(engine2d.LcpError, match="must be symmetric"):
        engine2d.solve_lcp(a, b)
    for matrix in [a, sparse.csr_matrix(a)]:
        solution = engine2d.solve_lcp(matrix, b, symmetric=False)
        assert solution.solved and np.allclose(solution.f, [1.8, 1.4], atol=1e-14)
    rng = np.random.default_rng(1)
    n = 200
    skew = rng.normal(size=(n, n))
    matrix = skew - skew.T + np.eye(n)
    assert engine2d.solve_lcp(matrix, -np.ones(n), symmetric=False).solved
    late = engine2d.solve_lcp(matrix, -np.ones(n), symmetric=False, time_limit=0.0)
    assert late.status == "time_limit" and np.isfinite(late.f).all()
    with pytest.raises(engine2d.LcpError, match="time_limit"):
        engine2d.solve_lcp(matrix, -np.ones(n), symmetric=False, time_limit=-1.0)
