//! The place of a field in a JSON text.

/// Line and column, both from 1, of the value at a path like `bodies[3].mass`; of the innermost part that is there, if the
/// path leads to nothing. The text is JSON.
pub(crate) fn locate(text: &str, path: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut value, mut shown) = (skip_space(bytes, 0), 0);
    for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        let Some((place, inner)) = enter(bytes, value, part) else { break };
        (shown, value) = (place, inner);
    }
    let before = &text.as_bytes()[..shown];
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // Columns count letters: the bytes that do not continue one.
    let column = 1 + before[start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    (line, column)
}

/// Where a part of an object or a list is: its place to show (that of a field's name) and its value.
fn enter(bytes: &[u8], value: usize, part: &str) -> Option<(usize, usize)> {
    let is_object = match bytes.get(value)? {
        b'{' => true,
        b'[' => false,
        _ => return None,
    };
    let wanted: Option<usize> = part.parse().ok();
    let mut at = skip_space(bytes, value + 1);
    let mut count = 0;
    while !matches!(bytes.get(at)?, b'}' | b']') {
        let place = at;
        let mut found = !is_object && wanted == Some(count);
        if is_object {
            let end = skip_value(bytes, at);
            found = bytes.get(at + 1..end.saturating_sub(1))? == part.as_bytes();
            at = skip_space(bytes, skip_space(bytes, end) + 1);
        }
        if found {
            return Some((place, at));
        }
        at = skip_space(bytes, skip_value(bytes, at));
        if bytes.get(at)? == &b',' {
            at = skip_space(bytes, at + 1);
        }
        count += 1;
    }
    None
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The end of the value that begins at a place.
fn skip_value(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => {
                at += 1;
                while bytes.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
            }
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            Some(b',' | b':' | b' ' | b'\n' | b'\r' | b'\t') => {
                if depth == 0 {
                    return at;
                }
                at += 1;
                continue;
            }
            // A number or a word.
            Some(_) => {
                while bytes.get(at).is_some_and(|byte| !byte.is_ascii_whitespace() && !b",:]}".contains(byte))
                {
                    at += 1;
                }
            }
        }
        if depth == 0 {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"name\": \"a \\\"b\\\" { [\",\n  \"bodies\": [\n    { \"mass\": 1, \"at\": [1, 2] },\n    \
                        {\"é\": true, \"mass\": -2.5e3,\n      \"shape\": { \"type\": \"ball\" } }\n  ]\n}\n";

    #[test]
    fn places_are_found_by_path() {
        assert_eq!(locate(TEXT, ""), (1, 1));
        assert_eq!(locate(TEXT, "name"), (2, 3));
        assert_eq!(locate(TEXT, "bodies"), (3, 3));
        assert_eq!(locate(TEXT, "bodies[0].at[1]"), (4, 28));
        assert_eq!(locate(TEXT, "bodies[1]"), (5, 5));
        assert_eq!(locate(TEXT, "bodies[1].mass"), (5, 17));
        assert_eq!(locate(TEXT, "bodies[1].shape.type"), (6, 18));
    }

    #[test]
    fn what_is_not_there_is_shown_where_it_would_be() {
        assert_eq!(locate(TEXT, "bodies[1].friction"), (5, 5));
        assert_eq!(locate(TEXT, "bodies[7].mass"), (3, 3));
        assert_eq!(locate("", "bodies"), (1, 1));
        assert_eq!(locate("[", "x.y"), (1, 1));
        assert_eq!(locate("{\"a\": \"unclosed", "a.b"), (1, 2));
    }
}
