//! Named tolerances and counts of the friction solver.

/// Rows from which problems that are not given densely are tried by bodies first, see [`super::JACOBIAN_ROWS`] for the others. Below,
/// the dense way takes no longer; above, where its Newton steps do not end, it comes to Lemke's method: piles of thirty bodies at
/// rest take a hundred times as long.
pub(crate) const FRICTION_BODIES: usize = 30;

/// Certificate from which Newton is tried with these.
pub(crate) const FRICTION_SHARP: f64 = 1e-5;

/// Rows from which problems with friction are looked through for islands, and their Newton systems factored as sparse ones.
pub(crate) const ISLAND_ROWS: usize = 40;

/// Sweeps of Gauss–Seidel before each try of Newton that precedes the fixed point, and the steps of that try.
pub(crate) const FRICTION_SWEEPS: [(usize, usize); 3] = [(20, 3), (40, 3), (80, 12)];

/// Share of the tolerance at which an answer needs no further step: rows of a small scale of their own are within the tolerance
/// then, too, and settled sets would be found again. Rounding of the largest force below it moves no certificate.
pub(crate) const WELL_WITHIN: f64 = 1e-2;

/// Smoothing of the sliding speed in the interior of the friction cones, as a multiple of the root of the mean
/// complementarity: larger values stall, with much smaller ones corners come too early.
pub(crate) const CONE_SMOOTHING: f64 = 0.003;

/// Length of a step in the cones, of 1, below which they are left: a corner holds all contacts, and smaller windows know more.
pub(crate) const CONE_STALL: f64 = 0.05;
/// Sweeps over the contacts before the windows: they mend what is wrong from one contact to the next.
pub(crate) const WINDOW_SWEEPS: usize = 30;

/// Bodies in the middle of the first windows and of the last ones, far from an answer. Larger: the way through a window is longer than
/// that through several small ones; smaller: what is undecided seldom fits in.
pub(crate) const WINDOWS_FAR: (usize, usize) = (60, 240);
/// The same near an answer, where ways are short.
pub(crate) const WINDOWS_NEAR: (usize, usize) = (90, 400);
/// Layers of neighbours that are solved with a window.
pub(crate) const WINDOW_LAYERS: usize = 2;
/// Divisor of their size by which windows grow from sweep to sweep: the borders are elsewhere in each sweep, which helps more than size.
pub(crate) const WINDOW_GROWTH: usize = 5;
/// Share of [`TIED_FROM`], and of the violation from which ties were tried last, at which ties are tried after a sweep over windows: three
/// times as much or a third takes as long.
pub(crate) const TIED_AGAIN: f64 = 0.1;
/// See [`TIED_AGAIN`]; ten times as much takes a tenth longer, a thousand times as much as long.
pub(crate) const TIED_FROM: f64 = 1e-3;
/// Violation of the best point, after ties to known forces and the way through the inside, up to which windows go on from there: beyond it
/// another start is nearer. A thirtieth or three times as much takes as long.
pub(crate) const WINDOWS_FROM: f64 = 0.03;

/// First strength of the ties to the forces before, as a share of the diagonal; ten times as much or as little takes as long.
pub(crate) const FIRST_TIES: f64 = 0.1;
/// Share of the ties that is left for the next problem; a third to three times as much takes as long.
pub(crate) const TIES_FALL: f64 = 0.03;
/// Weakest ties: below them rounding decides about forces that are nearly redundant.
pub(crate) const LAST_TIES: f64 = 1e-9;
/// Problems with ties at most, and those of them whose way may be too long; most end after six.
pub(crate) const TIES: (usize, usize) = (14, 4);
/// Newton steps from sets that are known: they are nearly right, or the way with ties is shorter; one to eight take as long.
pub(crate) const KNOWN_STEPS: usize = 2;
/// Share of the rows that may change their sets in the first of them, or there is no second: of sets that were right nine tenths change
/// fewer, of others one in twenty. A sixth takes as long.
pub(crate) const KNOWN_CHANGES: f64 = 0.12;
/// Sweeps over the contacts before the way with ties begins from known forces: they put right at once what is wrong in one place. None
/// takes a fifth longer, twenty or fifty as long.
pub(crate) const KNOWN_SWEEPS: usize = 5;
/// Share of the violation that a problem with weaker ties may leave where the answer is good enough already, or the digits are not
/// looked for any more: rounding keeps them.
pub(crate) const DIGITS_PAY: f64 = 0.5;
/// Newton steps without ties on that way: what does not end by then has the wrong sets, and weaker ties find them. Two to five take as
/// long.
pub(crate) const FREE_STEPS: usize = 3;
/// Newton steps on a problem with ties whose way is not followed; twice as many take as long.
pub(crate) const TIED_NEWTON: usize = 6;
/// Ties from which on Newton without any is tried.
pub(crate) const NEARLY_FREE: f64 = 1e-5;
/// Rows up to which ways are followed over all of them, a factorization each change of a set; of more, windows are.
pub(crate) const PATH_ROWS: usize = 1500;
/// Changes of sets on the way from a point to a solution, after which it counts as lost: most that end take a fifth; half or twice
/// as many take a little longer in all.
pub(crate) const PATH_EVENTS: usize = 150;

/// Changes of rank one before the system of a way is factored anew: with as many they take as long as a factorization.
pub(crate) const PATH_CHANGES: usize = 32;
/// How far rows that are held may move along a way, as a share of the bias that it takes away, before the system is factored anew.
/// A hundred times less or ten thousand times more changes what is factored in ways with the weakest ties alone.
pub(crate) const PATH_HELD: f64 = 1e-6;

/// Strength of ties from which nothing is left to try, and the most problems, on the long way: a flow of 2,000 grains takes a hundred.
pub(crate) const LONG_TIES: (f64, usize) = (1e3, 400);
/// Share of the ties left there for the next problem at best and at worst, and their growth where an answer tied to itself is too far.
pub(crate) const LONG_FALL: [f64; 3] = [0.3, 0.9, 3.0];

/// Residual from which the sets are tried, and the factor by which it must fall before they are tried again.
pub(crate) const CONE_CROSSOVER: f64 = 1e-3;
/// See [`CONE_CROSSOVER`].
pub(crate) const CONE_FALL: f64 = 1.0 / 30.0;

/// Share of the one generator of a cone in the other's force below which the sets say that the contact slips. Larger: contacts
/// well inside are let slip, and Newton takes them back; 0: of those at their limit half is let slip, and Newton finds no end.
pub(crate) const CONE_EDGE: f64 = 1e-2;

/// Newton steps of such a try.
pub(crate) const CONE_NEWTON: usize = 5;

/// Newton steps from sticking everywhere: it is right at once, or the way inside is shorter.
pub(crate) const STICKING_STEPS: usize = 2;
/// Sweeps in all, after which a problem of many rows with friction is left unsolved.
pub(crate) const FRICTION_LONG: usize = 4000;

/// Certificate of a point reached by sweeps below which it is near enough to a solution to start the fixed point from.
pub(crate) const FRICTION_NEAR: f64 = 1e-2;

/// Certificate of what Newton reached, relative to that of the round before it, below which the fixed point goes on from
/// there.
pub(crate) const FRICTION_ADOPT: f64 = 0.1;

/// Rounds of the fixed point on the normal forces.
pub(crate) const FRICTION_ROUNDS: usize = 60;

/// Rounds that do not halve the violation before few rows are left to Lemke's method.
pub(crate) const FRICTION_PATIENCE: usize = 8;

/// Share of the way to the new normal forces that a round of the fixed point goes, tried in turn: the whole way oscillates on
/// some piles.
pub(crate) const FRICTION_SHARES: [f64; 3] = [1.0, 0.5, 0.2];

/// Rows of a problem with friction up to which Lemke's method is asked where nothing converges: its tableau has four times as
/// many columns of twice as many entries.
pub(crate) const LEMKE_ROWS: usize = 200;

/// Ways it is sent.
pub(crate) const LEMKE_WAYS: usize = 18;

/// Points it goes through on each.
pub(crate) const LEMKE_ROUNDS: usize = 2;
