//! The tags of an XML document, one after the other.

use super::error::SvgError;

/// A tag that opens.
pub(super) struct Tag {
    /// Its name without the prefix of a namespace.
    pub(super) name: String,
    pub(super) line: usize,
    /// Whether it is closed at once.
    pub(super) is_empty: bool,
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A property: of its style, else its attribute.
    pub(super) fn style(&self, name: &str) -> Option<&str> {
        let own = self.get("style").unwrap_or_default();
        let mut entries = own.split(';').filter_map(|entry| entry.split_once(':'));
        let found = entries.rfind(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
        found.or_else(|| self.get(name).map(str::trim))
    }
}

/// A tag.
pub(super) enum Part {
    Open(Tag),
    Close { name: String, line: usize },
}

/// A document and how far it is read.
pub(super) struct Parts<'a> {
    text: &'a str,
    at: usize,
    /// The line of a place before.
    counted: (usize, usize),
}

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, counted: (0, 1) }
    }

    /// The line read now, from 1.
    pub(super) fn line(&mut self) -> usize {
        let (from, line) = self.counted;
        let more = self.text.as_bytes()[from..self.at].iter().filter(|&&b| b == b'\n').count();
        self.counted = (self.at, line + more);
        self.counted.1
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong<T>(&mut self, what: &'static str) -> Result<T, SvgError> {
        Err(SvgError::Xml { line: self.line(), what })
    }

    /// Goes on behind the next `end`.
    fn skip(&mut self, end: &str, what: &'static str) -> Result<(), SvgError> {
        match self.rest().find(end) {
            Some(found) => {
                self.at += found + end.len();
                Ok(())
            }
            None => self.wrong(what),
        }
    }

    /// The next tag.
    pub(super) fn next(&mut self) -> Result<Option<Part>, SvgError> {
        loop {
            let Some(found) = self.rest().find('<') else {
                self.at = self.text.len();
                return Ok(None);
            };
            self.at += found;
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip("-->", "a comment is not closed")?;
            } else if rest.starts_with("<![CDATA[") {
                self.skip("]]>", "a CDATA section is not closed")?;
            } else if rest.starts_with("<?") {
                self.skip("?>", "an instruction is not closed")?;
            } else if rest.starts_with("<!") {
                // A document type may have declarations in brackets.
                let brackets =
                    rest.find('[').is_some_and(|open| rest.find('>').is_some_and(|end| open < end));
                if brackets {
                    self.skip("]", "a document type is not closed")?;
                }
                self.skip(">", "a document type is not closed")?;
            } else if rest.starts_with("</") {
                let line = self.line();
                self.at += 2;
                let name = self.name()?;
                self.skip(">", "a tag is not closed by >")?;
                return Ok(Some(Part::Close { name, line }));
            } else {
                return Ok(Some(Part::Open(self.tag()?)));
            }
        }
    }

    fn name(&mut self) -> Result<String, SvgError> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/' | '=')).unwrap_or(rest.len());
        if end == 0 {
            return self.wrong("a name is missing");
        }
        self.at += end;
        let name = &rest[..end];
        // What belongs to another vocabulary keeps its prefix, and is no shape.
        Ok(name.strip_prefix("svg:").unwrap_or(name).to_owned())
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn tag(&mut self) -> Result<Tag, SvgError> {
        let line = self.line();
        self.at += 1;
        let name = self.name()?;
        let mut tag = Tag { name, line, is_empty: false, attributes: Vec::new() };
        loop {
            self.skip_blanks();
            if self.rest().starts_with("/>") {
                self.at += 2;
                tag.is_empty = true;
                return Ok(tag);
            }
            if self.rest().starts_with('>') {
                self.at += 1;
                return Ok(tag);
            }
            if self.rest().is_empty() {
                return self.wrong("a tag is not closed by >");
            }
            let key = self.name()?;
            self.skip_blanks();
            if !self.rest().starts_with('=') {
                return self.wrong("an attribute has no value");
            }
            self.at += 1;
            self.skip_blanks();
            let quote = self.rest().chars().next().filter(|c| matches!(c, '"' | '\''));
            let Some(quote) = quote else { return self.wrong("the value of an attribute is not in quotes") };
            self.at += 1;
            let Some(end) = self.rest().find(quote) else {
                return self.wrong("the value of an attribute is not closed by its quote");
            };
            let value = decoded(&self.rest()[..end]);
            self.at += end + 1;
            tag.attributes.push((key, value));
        }
    }
}

/// A value without the entities that every document knows; others stay as they are.
fn decoded(text: &str) -> String {
    const ENTITIES: [(&str, &str); 4] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")];
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut out = text.replace("&#10;", "\n").replace("&#13;", "\r").replace("&#9;", "\t");
    for (entity, letter) in ENTITIES {
        out = out.replace(entity, letter);
    }
    out.replace("&amp;", "&")
}
