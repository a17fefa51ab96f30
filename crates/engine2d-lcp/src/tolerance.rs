//! Named tolerances of this crate: each with its unit, its reason and what a change would break.

/// Default certificate below which an answer counts as solved; relative (see [`crate::Certificate`]). Contact
/// data carry about 10 digits, so a smaller value would only measure rounding.
pub const SOLVED: f64 = 1e-8;

/// Largest size of an entry of `A`, `J`, `b` or a coefficient of friction: products of two of them and a force stay finite.
pub const LARGEST: f64 = 1e150;

/// Diagonal entry below which a row counts as one that no force moves: reciprocals of smaller ones overflow.
pub const TINY: f64 = 1e-200;

/// Share of `|b_i| + Σ_j |A_ij f_j|` that rounding may leave in `a_i`; relative. About 500 units in the last
/// place: the rounding of sums of a few hundred terms, with a margin.
pub const ROUNDING_FLOOR: f64 = 1e-13;

/// Rounding of the largest force, relative to the tolerance, from which the certificate takes accelerations summed
/// up anew in the order of the rows instead of those of the solver.
pub const SUMMATION: f64 = 1e-2;

/// What the pivoting solver tries in turn until an answer is certified: the pivot of a row, relative to its
/// diagonal entry, at which it counts as a combination of the active rows. Rounding leaves about `n ε = 1e-13`;
/// contacts that are independent by geometry have `1e-6` and more. Larger: stiff stacks are cut; smaller:
/// redundant rows get enormous forces. Beside it [`FLAT_REDUNDANT`] for that attempt.
pub const ATTEMPTS: [(f64, f64); 6] = [
    (1e-11, FLAT_REDUNDANT),
    (1e-9, FLAT_REDUNDANT),
    (1e-7, 1e-5),
    (1e-11, FLAT),
    (1e-13, FLAT),
    (1e-6, 1e-4),
];

/// What is tried after [`ATTEMPTS`] where the demands of nearly dependent rows are met by large forces alone: pivots down to the
/// rounding of the diagonal entry count. A drive of a redundant row must end within [`RAY_REACH`] then.
pub const LAST_ATTEMPT: (f64, f64) = (1e-15, FLAT);

/// Largest force of one attempt, relative to that of the one before, from which further attempts promise nothing where both
/// are accepted for the rounding that large forces explain.
pub const SMALLER_FORCES: f64 = 0.5;

/// Share of the tolerance by which contradictions among bilateral rows may shift their bias.
pub const BILATERAL_SHIFT: f64 = 0.9;

/// Factor on the shift that reconciles rows contradicting each other within the tolerance; more than 1, so that
/// rounding does not leave a rest.
pub const SHIFT_MARGIN: f64 = 1.0 + 1e-6;

/// Share of the tolerance that rows may miss their conditions by beside the shift of their bias.
pub const RECONCILED: f64 = 0.05;

/// Negative pivot, relative to the diagonal entry, that is more than the rounding of a stable elimination. Where it turns
/// up in the pivoting, whose elimination need not be stable, the whole matrix is judged.
pub const NOT_PSD: f64 = 1e-7;

/// Error of a pivot, relative to `(Σ |v_i| √A_ii)²` for its direction `v`: half a unit in the last place of every entry
/// of `A`, all in the worst direction. Measured are `1e-18` for rows that are combinations of others, and `1e-14` for those
/// that are not.
pub const PIVOT_ROUNDING: f64 = 1e-16;

/// Pivot, relative to the diagonal entry, below which it is compared with [`PIVOT_ROUNDING`].
pub const DOUBTFUL_PIVOT: f64 = 1e-4;

/// Multiple of [`PIVOT_ROUNDING`] that a negative pivot must exceed to tell of an indefinite matrix.
pub const NOT_PSD_MARGIN: f64 = 10.0;

/// Asymmetry allowed between `A_ij` and `A_ji`, relative to `√(A_ii A_jj)`. Matrices assembled entry by entry
/// agree to `1e-14`; more is a mistake of the caller.
pub const ASYMMETRY: f64 = 1e-9;

/// Unwanted acceleration, relative to the largest `|b_i|` (at least 1), below which the pivoting solver leaves
/// a row alone. Four digits below [`SOLVED`].
pub const ACCEPTABLE: f64 = 1e-12;

/// Largest bias up to which one scale, the largest bias of all rows, decides which rows need driving: [`ACCEPTABLE`] of it is
/// then well below the default tolerance even of a row whose scale is 1.
pub const UNIFORM: f64 = 1e3;

/// Share of `√A_ii Σ √A_jj |f_j|`, the bound of Cauchy on `Σ |A_ij f_j|`, that the pivoting solver attributes
/// to rounding when it decides whether a row needs driving.
pub const DRIVE_FLOOR: f64 = 2e-15;

/// Residual `|a_C|`, relative to the largest `|b_i|`, above which the forces get a step of refinement.
pub const REFINE: f64 = 1e-14;

/// Component of a direction, relative to the driven row and in scaled coordinates, that counts as rounding:
/// it cannot block.
pub const FLAT: f64 = 1e-13;

/// As [`FLAT`] for the direction of a redundant row. Nothing but a blocking row ends such a step, so one that
/// blocks by rounding would let the forces grow without reason.
pub const FLAT_REDUNDANT: f64 = 1e-7;

/// What the rounding of `A`, sums of a few products each, leaves of `A v = 0`, relative to `√A_ii Σ_j √A_jj |v_j|`: 64 units in
/// the last place. Larger: nearly opposed contacts are refuted though huge forces hold them; smaller: the rounding of `A`
/// hides contradictions.
pub const RAY_RESIDUAL: f64 = 64.0 * f64::EPSILON;

/// Change of an entry of a ray by its refinement, relative to the largest one, that counts as an error of how it was found.
pub const RAY_OWN_ERROR: f64 = 1e-6;

/// Refinements of a ray before it is judged: with residuals of twice the digits each gains as many as the factor has.
pub const RAY_REFINEMENTS: usize = 3;

/// Forces up to which the bound of a ray holds, as a multiple of those whose own rounding reaches the tolerance: a ray that is
/// null only to rounding says nothing of larger ones, and nothing computed with these could be certified.
pub const RAY_REACH: f64 = 2.0;

/// Hard limit on the pivots of one solve: `PIVOTS_PER_ROW · n + PIVOTS_ALWAYS`. Typical problems take one to
/// two per row; the limit only turns a failure of rounding into a status.
pub const PIVOTS_PER_ROW: usize = 50;
/// See [`PIVOTS_PER_ROW`].
pub const PIVOTS_ALWAYS: usize = 100;

/// Share of the diagonal added to the systems of the friction solver, which are solved near the point before.
/// Larger: more rounds; smaller: redundant contacts make the systems singular.
pub const PROXIMAL: f64 = 1e-7;

/// Rows from which problems with friction are looked through for islands.
pub const FRICTION_ISLANDS: usize = 40;

/// Rows from which the Newton systems of friction are factored as sparse ones.
pub const SPARSE_NEWTON: usize = 40;

/// Sweeps of Gauss–Seidel before each try of Newton that precedes the fixed point, and the steps of that try.
pub const FRICTION_SWEEPS: [(usize, usize); 3] = [(20, 3), (40, 3), (80, 12)];

/// Rows up to which the matrix of a problem with friction is formed densely, where nothing else solved it.
pub const FRICTION_DENSE: usize = 4000;

/// Share of the tolerance at which Newton needs no further step: rows of a small scale of their own are within the tolerance
/// then, too.
pub const NEWTON_ENOUGH: f64 = 1e-2;

/// Smoothing of the sliding speed in the interior of the friction cones, as a multiple of the root of the mean
/// complementarity, tried in turn: larger values stall, with much smaller ones corners come too early.
pub const CONE_SMOOTHING: [f64; 2] = [0.003, 0.03];

/// Steps in the interior of the friction cones at most.
pub const CONE_STEPS: usize = 80;

/// Residual from which the sets are tried, and the factor by which it must fall before they are tried again.
pub const CONE_CROSSOVER: f64 = 1e-3;
/// See [`CONE_CROSSOVER`].
pub const CONE_FALL: f64 = 1.0 / 30.0;

/// Share of the one generator of a cone in the other's force below which the sets say that the contact slips. Larger: contacts
/// well inside are let slip, and Newton has to take them back; 0: of those exactly at their limit about half is let slip, by
/// rounding, and Newton finds no end.
pub const CONE_EDGE: f64 = 1e-2;

/// Newton steps of such a try.
pub const CONE_NEWTON: usize = 5;

/// Newton steps from sticking everywhere: it is right at once, or the way inside is shorter.
pub const STICKING_STEPS: usize = 2;

/// Weight of bilateral rows there, and what keeps the blocks of contacts regular, relative to the diagonal entry.
pub const CONE_WEIGHT: f64 = 1e-9;
/// See [`CONE_WEIGHT`].
pub const CONE_CENTRED: f64 = 1e-10;

/// Sweeps in all, after which a problem of many rows with friction is left unsolved.
pub const FRICTION_LONG: usize = 4000;

/// Rows from which friction is solved over the entries that are not zero alone, where the matrix is not given densely.
pub const FRICTION_SPARSE: usize = 150;

/// Certificate of a point reached by sweeps below which it is near enough to a solution to start the fixed point from.
pub const FRICTION_NEAR: f64 = 1e-2;

/// Certificate of what Newton reached, relative to that of the round before it, below which the fixed point goes on from
/// there.
pub const FRICTION_ADOPT: f64 = 0.1;

/// Rounds of the fixed point on the normal forces.
pub const FRICTION_ROUNDS: usize = 60;

/// Share of the way to the new normal forces that a round of the fixed point goes, tried in turn: the whole way oscillates on
/// some piles.
pub const FRICTION_SHARES: [f64; 3] = [1.0, 0.5, 0.2];

/// Rows up to which the smaller shares are tried.
pub const FRICTION_AGAIN: usize = 1000;

/// Newton steps after each round.
pub const NEWTON_STEPS: usize = 12;

/// Newton steps, or exchanges of block pivoting, in a row without progress before the iteration is left.
pub const PATIENCE: usize = 4;

/// Share of the rows that may change their sets in a Newton step; more tell that the sets are far from right.
pub const NEWTON_CHANGES: f64 = 1.0 / 6.0;

/// Proximal refinements of each Newton step with its factorization.
pub const NEWTON_REFINEMENTS: usize = 3;

/// Share of the way to the boundary that an interior step goes.
pub const BOUNDARY: f64 = 0.995;

/// Smallest diagonal weight of an interior system, in scaled terms: what keeps redundant bilateral rows regular.
pub const BILATERAL_WEIGHT: f64 = 1e-10;

/// Complementarity and residual, in scaled terms, from which crossover is tried if the rows are decided.
pub const CROSSOVER_FROM: f64 = 0.1;

/// Divisor of the number of rows: up to how many may have changed their direction in the last step before a crossover.
pub const UNDECIDED_SHARE: usize = 50;

/// Factor below which the number of wrong rows must fall from round to round of a crossover.
pub const CROSSOVER_FALL: f64 = 0.8;

/// Interior steps at most.
pub const INTERIOR_STEPS: usize = 80;

/// Weight of a clamped row in the crossover, in scaled terms; see [`PROXIMAL`].
pub const CROSSOVER_WEIGHT: f64 = 1e-9;

/// Exchanges of rows tried before the first interior step.
pub const GUESS_ROUNDS: usize = 5;

/// Divisor of the number of rows: more wrong ones in the first exchange are too many to go on without the interior.
pub const GUESS_SHARE: usize = 4;

/// Factor by which the wrong rows of these exchanges must fall; slower ones seldom end.
pub const GUESS_FALL: usize = 3;

/// Share of the tolerance below which an answer of the sparse method needs no further look.
pub const CLEARLY: f64 = 1e-3;

/// As [`CLEARLY`] where no row is wrong: more steps would find the same sets.
pub const SETTLED_ENOUGH: f64 = 1e-2;

/// Condition number from which rounding, and not the method, is to blame for a problem that ends undecided: half of the digits
/// are lost then.
pub const ILL_CONDITIONED: f64 = 1e8;

/// Multiple of the tolerance up to which rounding excuses an acceleration. Stacks of a thousand bodies whose masses differ by
/// a million need 40; larger ones come with forces that mean nothing, and are told as ill-conditioned.
pub const ROUNDED: f64 = 100.0;

/// Exchanges of rows tried in a crossover.
pub const CROSSOVER_ROUNDS: usize = 20;

/// Proximal refinements of each system of a crossover.
pub const CROSSOVER_REFINEMENTS: usize = 4;

/// Factor by which a refinement must lower the residual to be followed by more of them, up to twice as many.
pub const REFINEMENT_PAYS: f64 = 0.3;

/// Weight of a row where settled sets are polished, in scaled terms: at the level of rounding.
pub const POLISH_WEIGHT: f64 = 1e-15;

/// Solves of a polish; each must halve the residual.
pub const POLISH_PASSES: usize = 6;

/// Eigenvalue of the scaled matrix, relative to the largest, below which it counts as zero in the choice of
/// least-norm forces. Rounding leaves `1e-15`; contact matrices have `1e-8` and more.
pub const RANK: f64 = 1e-11;

/// Acceleration, relative to the largest bias, below which a row may carry force in another solution.
pub const MIN_NORM_FREE: f64 = 1e-9;

/// Sweeps of Gauss–Seidel at most, unless the caller says otherwise.
pub const SWEEPS: usize = 20_000;

/// Sweeps of Gauss–Seidel between two looks at the certificate.
pub const SWEEPS_PER_CHECK: usize = 10;

/// Exchanges of block pivoting at most.
pub const BLOCK_ROUNDS: usize = 40;

/// Rows up to which incremental pivoting is faster than the sparse method.
pub const PIVOTING_ROWS: usize = 250;

/// As [`PIVOTING_ROWS`] for problems given by their Jacobian, of which pivoting has to form the matrix first, and
/// whose bodies the sparse method knows.
pub const JACOBIAN_ROWS: usize = 150;

/// Rows up to which incremental pivoting, some rows at once, is faster than block pivoting on a dense matrix.
pub const DENSE_ROWS: usize = 1000;

/// Share of nonzero entries below which the sparse method pays.
pub const SPARSE_SHARE: f64 = 0.25;

/// Share of nonzero entries of a Jacobian from which `A` is formed by products of whole rows.
pub const FULL_SHARE: f64 = 0.3;

/// Rows up to which pivoting finishes what the sparse method could not certify: it stores the matrix densely.
pub const FALLBACK_ROWS: usize = 4000;

/// Pivot, relative to the diagonal entry, above which plain elimination of bilateral rows leaves no doubt of their
/// independence; below it they are eliminated by largest pivot.
pub const CLEAR_RANK: f64 = 1e-6;

/// Pivot, relative to the diagonal entry, that all bilateral rows must have if some are to be left out without a search for
/// the largest: chains with doubled joints have `8e-3`.
pub const APART: f64 = 1e-4;

/// Pivot, relative to the diagonal entry, that the lean path for few rows takes for zero after clear ones only; what is
/// between it and [`CLEAR_RANK`] is left to the general method.
pub const SMALL_ZERO: f64 = 1e-12;

/// Rows up to which the lean path that exchanges rows all at once is tried.
pub const EXCHANGE_ROWS: usize = 450;

/// Rounds in a row of either lean path that do not lower the number of wrong rows.
pub const EXCHANGE_PATIENCE: usize = 2;

/// Wrong rows up to which they then exchange one at a time; with more, the general method takes over.
pub const EXCHANGE_FEW: usize = 4;

/// How often they do.
pub const EXCHANGE_SINGLES: usize = 6;

/// Share of bilateral rows from which that path is tried without sets to start from: most of what carries force is known then,
/// as in stacks, where nearly everything does. Elsewhere most exchanges are wrong at first, and single drives are faster.
pub const EXCHANGE_BILATERAL: f64 = 0.25;

/// As [`SMALL_ZERO`] for some hundred rows: more terms, more rounding. Doubled joints of long chains leave `2e-11`.
pub const EXCHANGE_ZERO: f64 = 1e-9;

/// Rows from which an order by neighbours is worth its search.
pub const NEIGHBOUR_ROWS: usize = 32;

/// Share of nonzero entries above which no order helps.
pub const NEIGHBOUR_SHARE: f64 = 0.3;

/// Mean distance to the first neighbour up to which all rows are tried as clamped at once: stacks have 3 to 5,
/// two-dimensional arrangements `√n`.
pub const NARROW: usize = 6;

/// As [`RANK`] where a ray is looked for: directions must leave `A v` below [`RAY_RESIDUAL`].
pub const RAY_RANK: f64 = 1e-13;

/// Rows up to which a ray is looked for in the null space when pivoting ends without an answer.
pub const RAY_ROWS: usize = 400;

/// Share of the starting forces that starting accelerations get, beside [`START_ROOM`].
pub const START_PUSH: f64 = 1e-7;

/// Least distance of the interior starting point from its bounds, in units of the largest scaled bias.
pub const START_ROOM: f64 = 0.1;

/// Force or acceleration, in scaled terms, that a crossover attributes to rounding.
pub const CROSSOVER_NOISE: f64 = 1e-12;

/// Complementarity and residual, in scaled terms, at which the interior point itself is good enough where no
/// crossover succeeds.
pub const INTERIOR_ENOUGH: f64 = 1e-13;

/// Complementarity, in scaled terms, beyond which an interior step only adds rounding.
pub const GAP_CLOSED: f64 = 1e-15;

/// Share of the blocks of a Jacobian, three columns each, that must be filled for it to be taken by blocks.
pub const BLOCK_SHARE: f64 = 0.5;

/// Weight of a row in the body form, beside the weight 1 of the bodies, that a factorization leaves out: it changes the
/// direction of a step by as much, while products of such weights would soon leave the range of fast arithmetic.
pub const NEGLIGIBLE: f64 = 1e-14;

/// Products of blocks per body in a factorization, up to which it is done by blocks; beyond, dense kernels pay.
pub const BLOCK_UPDATES: usize = 300;

/// Fill of the factor, relative to the entries of the matrix, from which the other form is looked at.
pub const SUSPICIOUS_FILL: usize = 15;

/// Wrong rows up to which a crossover that no longer lowers their number exchanges them one by one.
pub const CROSSOVER_SINGLE: usize = 6;

/// Rows up to which pivoting beats the sparse method where each row is linked to at most [`THIN_LINKS`] others.
pub const THIN_ROWS: usize = 450;
/// See [`THIN_ROWS`].
pub const THIN_LINKS: f64 = 20.0;

/// Rounds of the search for the least shift that reconciles contradicting demands: each halves its distance at least.
pub const LAWSON_ROUNDS: usize = 40;

/// Least factor on the weight of a row in a round of that search; rows that got no shift stay in it.
pub const LAWSON_LEAST: f64 = 1e-3;

/// Share of the largest force from which a row counts as part of a ray, tried in turn.
pub const RAY_SHARES: [f64; 3] = [1e-4, 1e-7, 1e-2];

/// Weight of a row where a ray is cleaned of what is not in the null space, in scaled terms.
pub const RAY_WEIGHT: f64 = 1e-9;

/// How often it is.
pub const RAY_PASSES: usize = 4;

/// Acceleration along a ray, relative to its largest entry and in scaled terms, that is rounding.
pub const RAY_NULL: f64 = 1e-13;

/// Share of the largest unwanted acceleration, in scaled terms, from which rows are driven in the same round.
pub const ALIKE: f64 = 0.25;

/// Rows of a dense problem whose turns come together.
pub const CHUNK: usize = 16;

/// Rows from which they are taken into C together.
pub const JOIN_FROM: usize = 4;

/// How often that is done in one solve after the first turn of all rows. In exact arithmetic no limit is needed; in rounding
/// single drives, with their stricter tests, have the last word.
pub const JOINS: usize = 20;

/// Growth of the factor of C, by rows that came late and stand at its end, from which it is made anew in the cheap order.
pub const TIDY_GROWTH: usize = 2;

/// Entries for each row of C below half of which it never is: the order itself has some, and making it costs.
pub const TIDY_ROW: usize = 12;
