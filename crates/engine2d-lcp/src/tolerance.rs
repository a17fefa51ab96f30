//! Named tolerances of this crate: each with its unit, its reason and what a change would break.

mod friction;

pub(crate) use friction::*;

/// Default certificate below which an answer counts as solved; relative (see [`crate::Certificate`]). Contact
/// data carry about 10 digits, so a smaller value would only measure rounding.
pub const SOLVED: f64 = 1e-8;

/// Largest size of an entry of `A`, `J`, `b` or a coefficient of friction: products of two of them and a force stay finite.
pub(crate) const LARGEST: f64 = 1e150;

/// Diagonal entry below which a row counts as one that no force moves: reciprocals of smaller ones overflow.
pub(crate) const TINY: f64 = 1e-200;

/// What the rounding of sums of a few hundred terms leaves, relative to the sum of their sizes: about 500 units in the last place,
/// with a margin. Excuses accelerations by `|b_i| + Σ_j |A_ij f_j|`; components of a direction below it cannot block; directions
/// that leave less of `A v` are null; the interior point cannot come closer. Larger: answers with lost digits are excused;
/// smaller: large sums are called wrong that are as right as they can be.
pub const ROUNDING: f64 = 1e-13;

/// What the pivoting solver tries in turn until an answer is certified: the pivot of a row, relative to its
/// diagonal entry, at which it counts as a combination of the active rows. Rounding leaves about `n ε = 1e-13`;
/// contacts that are independent by geometry have `1e-6` and more. Larger: stiff stacks are cut; smaller:
/// redundant rows get enormous forces. Beside it [`FLAT_REDUNDANT`] for that attempt.
pub const ATTEMPTS: [(f64, f64); 6] = [
    (1e-11, FLAT_REDUNDANT),
    (1e-9, FLAT_REDUNDANT),
    (1e-7, 1e-5),
    (1e-11, ROUNDING),
    (1e-13, ROUNDING),
    (1e-6, 1e-4),
];

/// What is tried after [`ATTEMPTS`] where the demands of nearly dependent rows are met by large forces alone: pivots down to the
/// rounding of the diagonal entry count. A drive of a redundant row must end within [`RAY_REACH`] then.
pub(crate) const LAST_ATTEMPT: (f64, f64) = (1e-15, ROUNDING);

/// Largest force of one attempt, relative to that of the one before, from which further attempts promise nothing where both
/// are accepted for the rounding that large forces explain.
pub(crate) const SMALLER_FORCES: f64 = 0.5;

/// Share of the tolerance by which contradictions among bilateral rows may shift their bias.
pub(crate) const BILATERAL_SHIFT: f64 = 0.9;

/// Factor on the shift that reconciles rows contradicting each other within the tolerance; more than 1, so that
/// rounding does not leave a rest.
pub(crate) const SHIFT_MARGIN: f64 = 1.0 + 1e-6;

/// Share of the tolerance that rows may miss their conditions by beside the shift of their bias.
pub(crate) const RECONCILED: f64 = 0.05;

/// Negative pivot, relative to the diagonal entry, that is more than the rounding of a stable elimination. Where it turns
/// up in the pivoting, whose elimination need not be stable, the whole matrix is judged.
pub const NOT_PSD: f64 = 1e-7;

/// Error of a pivot, relative to `(Σ |v_i| √A_ii)²` for its direction `v`: half a unit in the last place of every entry
/// of `A`, all in the worst direction. Measured are `1e-18` for rows that are combinations of others, and `1e-14` for those
/// that are not.
pub(crate) const PIVOT_ROUNDING: f64 = 1e-16;

/// Pivot, relative to the diagonal entry, above which no rounding is suspected: not compared with [`PIVOT_ROUNDING`], and if all
/// bilateral rows have it, some can be left out without a search for the largest. Chains with doubled joints have `8e-3`.
pub(crate) const CLEAR_PIVOT: f64 = 1e-4;

/// Multiple of [`PIVOT_ROUNDING`] that a negative pivot must exceed to tell of an indefinite matrix.
pub(crate) const NOT_PSD_MARGIN: f64 = 10.0;

/// Asymmetry allowed between `A_ij` and `A_ji`, relative to `√(A_ii A_jj)`. Matrices assembled entry by entry
/// agree to `1e-14`; more is a mistake of the caller.
pub(crate) const ASYMMETRY: f64 = 1e-9;

/// Unwanted acceleration, relative to the largest `|b_i|` (at least 1), or force in scaled terms, for which no row is driven or
/// exchanged, and pivot, relative to the diagonal entry, that counts as zero among a few rows whose other pivots are clear. Four
/// digits below [`SOLVED`]. Larger: the certificate is missed; smaller: rows change their sets by rounding.
pub const ACCEPTABLE: f64 = 1e-12;

/// Largest bias up to which one scale, the largest bias of all rows, decides which rows need driving: [`ACCEPTABLE`] of it is
/// then well below the default tolerance even of a row whose scale is 1.
pub(crate) const UNIFORM: f64 = 1e3;

/// Share of `√A_ii Σ √A_jj |f_j|`, the bound of Cauchy on `Σ |A_ij f_j|`, that the pivoting solver attributes
/// to rounding when it decides whether a row needs driving.
pub const DRIVE_FLOOR: f64 = 2e-15;

/// Residual `|a_C|`, relative to the largest `|b_i|`, above which the forces get a step of refinement.
pub const REFINE: f64 = 1e-14;

/// As [`ROUNDING`] for the direction of a redundant row. Nothing but a blocking row ends such a step, so one that
/// blocks by rounding would let the forces grow without reason.
pub const FLAT_REDUNDANT: f64 = 1e-7;

/// What the rounding of `A`, sums of a few products each, leaves of `A v = 0`, relative to `√A_ii Σ_j √A_jj |v_j|`: 64 units in
/// the last place. Larger: nearly opposed contacts are refuted though huge forces hold them; smaller: the rounding of `A`
/// hides contradictions.
pub const RAY_RESIDUAL: f64 = 64.0 * f64::EPSILON;

/// Change of an entry of a ray by its refinement, relative to the largest one, that counts as an error of how it was found.
pub(crate) const RAY_OWN_ERROR: f64 = 1e-6;

/// Forces up to which the bound of a ray holds, as a multiple of those whose own rounding reaches the tolerance: a ray that is
/// null only to rounding says nothing of larger ones, and nothing computed with these could be certified.
pub(crate) const RAY_REACH: f64 = 2.0;

/// Hard limit on the pivots of one solve: `PIVOTS_PER_ROW (n + 2)`. Typical problems take one to
/// two per row; the limit only turns a failure of rounding into a status.
pub(crate) const PIVOTS_PER_ROW: usize = 50;

/// Share of the diagonal added to the systems of the friction solver, which are solved near the point before.
/// Larger: more rounds; smaller: redundant contacts make the systems singular.
pub(crate) const PROXIMAL: f64 = 1e-7;

/// As [`PROXIMAL`] from the sets of a complementary basis, tried in turn: contacts that are parallel but for the last digits come
/// to rest by the smaller one alone.
pub(crate) const LAST_PROXIMAL: [f64; 3] = [1e-10, 1e-13, PROXIMAL];

/// Newton steps after each round.
pub(crate) const NEWTON_STEPS: usize = 12;

/// Newton steps in a row without progress before the iteration is left.
pub(crate) const PATIENCE: usize = 4;

/// Share of the rows that may change their sets in a Newton step; more tell that the sets are far from right.
pub(crate) const NEWTON_CHANGES: f64 = 1.0 / 6.0;

/// Refinements with one factorization: proximal ones of a Newton step, or of a ray before it is judged, where with residuals of
/// twice the digits each gains as many as the factor has.
pub(crate) const REFINEMENTS: usize = 3;

/// Share of the way to the boundary that an interior step goes.
pub(crate) const BOUNDARY: f64 = 0.995;

/// Smallest diagonal weight of an interior system, relative to the diagonal entry: what keeps redundant bilateral rows and the
/// blocks of contacts regular.
pub(crate) const LEAST_WEIGHT: f64 = 1e-10;

/// Complementarity and residual, in scaled terms, from which crossover is tried if the rows are decided.
pub(crate) const CROSSOVER_FROM: f64 = 0.1;

/// Divisor of the number of rows: up to how many may have changed their direction in the last step before a crossover.
pub(crate) const UNDECIDED_SHARE: usize = 50;

/// Factor below which the number of wrong rows must fall from round to round of a crossover.
pub(crate) const CROSSOVER_FALL: f64 = 0.8;

/// Interior steps at most, in the bounds or in the friction cones; problems that end take half of them.
pub(crate) const INTERIOR_STEPS: usize = 80;

/// Weight of a held row in sparse systems, relative to the diagonal entry, whose refinement goes to the nearest solution even if
/// rows are redundant; see [`PROXIMAL`]. Larger: more refinements; smaller: redundant rows make the systems singular.
pub(crate) const WEIGHT: f64 = 1e-9;

/// Exchanges of rows tried before the first interior step.
pub(crate) const GUESS_ROUNDS: usize = 5;

/// Divisor of the number of rows: more wrong ones in the first exchange are too many to go on without the interior.
pub(crate) const GUESS_SHARE: usize = 4;

/// Factor by which the wrong rows of these exchanges must fall; slower ones seldom end.
pub(crate) const GUESS_FALL: usize = 3;

/// Share of the tolerance below which an answer of the sparse method needs no further look.
pub(crate) const CLEARLY: f64 = 1e-3;

/// Condition number from which rounding, and not the method, is to blame for a problem that ends undecided: half of the digits
/// are lost then.
pub(crate) const ILL_CONDITIONED: f64 = 1e8;

/// Multiple of the tolerance up to which rounding excuses an acceleration. Stacks of a thousand bodies whose masses differ by
/// a million need 40; larger ones come with forces that mean nothing, and are told as ill-conditioned.
pub(crate) const ROUNDED: f64 = 100.0;

/// Exchanges of rows tried in a crossover.
pub(crate) const CROSSOVER_ROUNDS: usize = 20;

/// Factor by which a refinement must lower the residual to be followed by more of them, up to twice as many.
pub(crate) const REFINEMENT_PAYS: f64 = 0.3;

/// Solves of a polish; each must halve the residual.
pub(crate) const POLISH_PASSES: usize = 6;

/// Eigenvalue of the scaled matrix, relative to the largest, below which it counts as zero in the choice of
/// least-norm forces. Rounding leaves `1e-15`; contact matrices have `1e-8` and more.
pub(crate) const RANK: f64 = 1e-11;

/// Acceleration, relative to the largest bias, below which a row may carry force in another solution.
pub(crate) const MIN_NORM_FREE: f64 = 1e-9;

/// Rows up to which a sparse matrix is formed densely where the feature for sparse ones is off: 50 MB.
#[cfg(not(feature = "sparse"))]
pub(crate) const FORMED_ROWS: usize = 2500;

/// Rows up to which incremental pivoting is faster than the sparse method.
pub(crate) const PIVOTING_ROWS: usize = 250;

/// As [`PIVOTING_ROWS`] for problems given by their Jacobian, of which pivoting has to form the matrix first, and whose bodies
/// the sparse methods, that of friction too, know. From as many rows on, friction given densely is solved over what is not zero:
/// pyramids, walls and stacks of half as many take as long either way, of twice as many half.
pub(crate) const JACOBIAN_ROWS: usize = 150;

/// Rows up to which incremental pivoting, some rows at once, is faster than block pivoting on a dense matrix; up to as many,
/// friction without an answer is tried in other ways.
pub(crate) const DENSE_ROWS: usize = 1000;

/// Share of nonzero entries below which the sparse method pays.
pub(crate) const SPARSE_SHARE: f64 = 0.25;

/// Share of nonzero entries from which no order helps, and a Jacobian is multiplied by whole rows.
pub(crate) const FULL_SHARE: f64 = 0.3;

/// Rows up to which a matrix that is not given densely is stored densely, to finish what the sparse methods could not: 128 MB.
pub(crate) const STORED_ROWS: usize = 4000;

/// Pivot, relative to the diagonal entry, above which plain elimination of bilateral rows leaves no doubt of their
/// independence; below it they are eliminated by largest pivot.
pub(crate) const CLEAR_RANK: f64 = 1e-6;

/// Rounds in a row of either lean path that do not lower the number of wrong rows.
pub(crate) const EXCHANGE_PATIENCE: usize = 2;

/// Wrong rows up to which they then exchange one at a time; with more, the general method takes over.
pub(crate) const EXCHANGE_FEW: usize = 4;

/// How often they do.
pub(crate) const EXCHANGE_SINGLES: usize = 6;

/// Share of bilateral rows from which that path is tried without sets to start from: most of what carries force is known then,
/// as in stacks, where nearly everything does. Elsewhere most exchanges are wrong at first, and single drives are faster.
pub(crate) const EXCHANGE_BILATERAL: f64 = 0.25;

/// As [`ACCEPTABLE`] for some hundred rows: more terms, more rounding. Doubled joints of long chains leave `2e-11`.
pub(crate) const EXCHANGE_ZERO: f64 = 1e-9;

/// Rows from which an order by neighbours is worth its search.
pub(crate) const NEIGHBOUR_ROWS: usize = 32;

/// Mean distance to the first neighbour up to which all rows are tried as clamped at once: stacks have 3 to 5,
/// two-dimensional arrangements `√n`.
pub(crate) const NARROW: usize = 6;

/// Rows up to which a ray is looked for in the null space when pivoting ends without an answer.
pub(crate) const RAY_ROWS: usize = 400;

/// Share of the starting forces that starting accelerations get, beside [`START_ROOM`].
pub(crate) const START_PUSH: f64 = 1e-7;

/// Least distance of the interior starting point from its bounds, in units of the largest scaled bias.
pub(crate) const START_ROOM: f64 = 0.1;

/// A few units in the last place of 1: complementarity beyond which an interior step only adds rounding, and weight of a row where
/// settled sets are polished, both in scaled terms.
pub(crate) const LAST_DIGIT: f64 = 1e-15;

/// Share of the blocks of a Jacobian, three columns each, that must be filled for it to be taken by blocks.
pub(crate) const BLOCK_SHARE: f64 = 0.5;

/// Weight of a row in the body form, beside the weight 1 of the bodies, that a factorization leaves out: it changes the
/// direction of a step by as much, while products of such weights would soon leave the range of fast arithmetic.
pub(crate) const NEGLIGIBLE: f64 = 1e-14;

/// Products of blocks per body in a factorization, up to which it is done by blocks; beyond, dense kernels pay.
pub(crate) const BLOCK_UPDATES: usize = 300;

/// Fill of the factor, relative to the entries of the matrix, from which the other form is looked at.
pub(crate) const SUSPICIOUS_FILL: usize = 15;

/// Wrong rows up to which a crossover that no longer lowers their number exchanges them one by one.
pub(crate) const CROSSOVER_SINGLE: usize = 6;

/// Rows of a dense matrix up to which exchange in blocks is tried before pivoting, and up to which both beat the sparse method where each
/// row is linked to at most [`THIN_LINKS`] others.
pub(crate) const THIN_ROWS: usize = 450;
/// See [`THIN_ROWS`].
pub(crate) const THIN_LINKS: f64 = 20.0;

/// Rows of a Jacobian up to which the same is tried, if they have at most [`MANY_LINKS`] pairs each: heaps of 400 to 1,600 smooth bodies,
/// with 1,000 to 4,000 rows, take a third and less of the time with it. More were not tried.
pub(crate) const MANY_ROWS: usize = 5000;
/// Pairs of entries in one column, per row: heaps have 20 to 60. A body that thousands of rows push has a matrix that is full, which must
/// not be worked out; it would take three kilobytes a row for as many.
pub(crate) const MANY_LINKS: usize = 200;

/// Rounds of the search for the least shift that reconciles contradicting demands: each halves its distance at least.
pub(crate) const LAWSON_ROUNDS: usize = 40;

/// Least factor on the weight of a row in a round of that search; rows that got no shift stay in it.
pub(crate) const LAWSON_LEAST: f64 = 1e-3;

/// Share of the largest force from which a row counts as part of a ray, tried in turn.
pub(crate) const RAY_SHARES: [f64; 3] = [1e-4, 1e-7, 1e-2];

/// Proximal refinements of each system of a crossover, or of a ray that is cleaned of what is not in the null space.
pub(crate) const PROXIMAL_PASSES: usize = 4;

/// Share of the largest unwanted acceleration, in scaled terms, from which rows are driven in the same round.
pub(crate) const ALIKE: f64 = 0.25;

/// Rows of a dense problem whose turns come together.
pub(crate) const CHUNK: usize = 16;

/// Rows from which they are taken into C together.
pub(crate) const JOIN_FROM: usize = 4;

/// How often that is done in one solve after the first turn of all rows. In exact arithmetic no limit is needed; in rounding
/// single drives, with their stricter tests, have the last word.
pub(crate) const JOINS: usize = 20;

/// Growth of the factor of C, by rows that came late and stand at its end, from which it is made anew in the cheap order.
pub(crate) const TIDY_GROWTH: usize = 2;

/// Entries for each row of C below half of which it never is: the order itself has some, and making it costs.
pub(crate) const TIDY_ROW: usize = 12;
