//! A place in a scene by its path: `bodies[plank].friction`, `settings.seed`, `force_laws[0].strength`.

use crate::error::SweepError;
use serde_json::Value;

/// A step into a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A field of an object.
    Field(String),
    /// An entry of a list, by its place or its name.
    Entry(String),
}

/// Reads a path; `at` is where it stands in the sweep.
pub(crate) fn steps(path: &str, at: &str) -> Result<Vec<Step>, SweepError> {
    let mut found = Vec::new();
    for part in path.split('.') {
        let (field, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        let bad = || SweepError::at(at, format!("{path:?} is no path; one is like bodies[plank].friction"));
        if field.is_empty() || field.contains(']') {
            return Err(bad());
        }
        found.push(Step::Field(field.to_owned()));
        while !rest.is_empty() {
            let inner = rest.strip_prefix('[').ok_or_else(bad)?;
            let (entry, after) = inner.split_once(']').ok_or_else(bad)?;
            found.push(Step::Entry(entry.to_owned()));
            rest = after;
        }
    }
    Ok(found)
}

/// The entry of a list: by place, else by its name.
fn entry<'t>(list: &'t mut [Value], key: &str) -> Option<&'t mut Value> {
    let place = match key.parse::<usize>() {
        Ok(place) => place,
        Err(_) => list.iter().position(|e| e.get("name").and_then(Value::as_str) == Some(key))?,
    };
    list.get_mut(place)
}

/// Puts a value at a place of a scene. Fields that are missing are made, entries of lists are not.
pub(crate) fn put(tree: &mut Value, steps: &[Step], value: Value) -> Result<(), String> {
    let mut here = tree;
    for step in steps {
        here = match (step, here) {
            (Step::Field(name), Value::Object(fields)) => {
                fields.entry(name.as_str()).or_insert_with(|| Value::Object(serde_json::Map::new()))
            }
            (Step::Entry(key), Value::Array(list)) => {
                let count = list.len();
                entry(list, key)
                    .ok_or_else(|| format!("no entry of the list is {key:?} (there are {count})"))?
            }
            (Step::Entry(key), Value::Object(fields)) => {
                fields.get_mut(key).ok_or_else(|| format!("there is no {key:?}"))?
            }
            (Step::Field(name), _) => return Err(format!("{name:?} is asked of what is no object")),
            (Step::Entry(key), _) => return Err(format!("[{key}] is asked of what is no list")),
        };
    }
    *here = value;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_go_where_the_path_leads() {
        let mut scene = json!({"bodies": [{"name": "a"}, {"name": "plank", "position": [0.0, 1.0]}]});
        put(&mut scene, &steps("bodies[plank].friction", "").unwrap(), json!(0.5)).unwrap();
        put(&mut scene, &steps("bodies[1].position[0]", "").unwrap(), json!(2.0)).unwrap();
        put(&mut scene, &steps("settings.seed", "").unwrap(), json!(7)).unwrap();
        assert_eq!(scene["bodies"][1], json!({"name": "plank", "position": [2.0, 1.0], "friction": 0.5}));
        assert_eq!(scene["settings"]["seed"], 7);
        let lost = put(&mut scene, &steps("bodies[plnk].mass", "").unwrap(), json!(1.0)).unwrap_err();
        assert!(lost.contains("plnk"), "{lost}");
        assert!(put(&mut scene, &steps("bodies.mass", "").unwrap(), json!(1.0)).is_err());
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for path in ["", "a..b", "a[b", "a]b", "a[b]c", "[0]"] {
            assert!(steps(path, "here").is_err(), "{path}");
        }
    }
}
