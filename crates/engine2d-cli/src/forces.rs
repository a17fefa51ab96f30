//! `--forces`: of which pairs of bodies the trajectory has the contact forces.

use crate::Failure;
use engine2d::scene::nearest;
use engine2d::sim::World;

/// What stands for all bodies that can meet.
const ALL: &str = "all";

/// Most pairs that `all` may stand for: tables of more columns are of little use, and contacts.parquet has all contacts.
const MOST_PAIRS: usize = 1_000;

/// The pairs that are asked for, each once, by the names of their bodies.
pub(crate) fn pairs(asked: &[String], world: &World) -> Result<Vec<[String; 2]>, Failure> {
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for asked in asked {
        let these = if asked.trim() == ALL { all(world)? } else { vec![pair(asked, world)?] };
        for [a, b] in these {
            if !pairs.iter().any(|[c, d]| (c == &a && d == &b) || (c == &b && d == &a)) {
                pairs.push([a, b]);
            }
        }
    }
    Ok(pairs)
}

fn all(world: &World) -> Result<Vec<[String; 2]>, Failure> {
    let all = world.inspect().pairs_that_can_meet();
    if all.len() <= MOST_PAIRS {
        return Ok(all);
    }
    Err(Failure::Usage(format!(
        "--forces all: there are {} pairs of bodies that can meet, more than the {MOST_PAIRS} that are columns; name some, or \
         take --format parquet, which has all contacts in contacts.parquet",
        all.len()
    )))
}

/// The two bodies of `BODY,BODY`. Names may have commas themselves: the first comma with a body on either side counts.
fn pair(asked: &str, world: &World) -> Result<[String; 2], Failure> {
    let name = |text: &str| world.body(text.trim()).ok().map(|body| body.name().to_owned());
    let halves = || asked.match_indices(',').map(|(at, _)| (&asked[..at], &asked[at + 1..]));
    if let Some((a, b)) = halves().find_map(|(a, b)| name(a).zip(name(b))) {
        if a == b {
            return Err(Failure::Usage(format!("--forces: {a:?} does not meet itself; name two bodies")));
        }
        return Ok([a, b]);
    }
    let Some((a, b)) = halves().next() else {
        return Err(Failure::Usage(format!(
            "--forces: {asked:?} is no pair of bodies; write two names with a comma between them, or {ALL}"
        )));
    };
    let unknown = if name(a).is_none() { a.trim() } else { b.trim() };
    let all: Vec<&str> = world.bodies().map(|body| body.name()).collect();
    let hint = match nearest(unknown, all.iter().copied()) {
        Some(near) => format!("; did you mean {near:?}?"),
        None => format!(" (there are: {})", all.join(", ")),
    };
    Err(Failure::Usage(format!("--forces: no body is named {unknown:?}{hint}")))
}
