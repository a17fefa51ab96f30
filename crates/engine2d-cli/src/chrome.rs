//! Spans as a file in the trace format of Chrome: one complete event a span, with its fields.

use crate::Failure;
use crate::part::PartFile;
use serde_json::{Map, Value, json};
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// Writes each span when it is closed.
#[derive(Clone)]
pub(crate) struct ChromeTrace(Arc<Mutex<Sheet>>);

/// The file so far.
struct Sheet {
    file: Option<PartFile>,
    began: Instant,
    count: u64,
    /// The first failure to write; nothing is written after it.
    failure: Option<io::Error>,
}

/// What is remembered of a span while it is open.
#[derive(Default)]
struct Open {
    fields: Map<String, Value>,
    /// When it was entered first and left last (microseconds).
    times: Option<(f64, f64)>,
}

impl Visit for Open {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.fields.insert(field.name().to_owned(), json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.fields.insert(field.name().to_owned(), json!(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.fields.insert(field.name().to_owned(), json!(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name().to_owned(), json!(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name().to_owned(), json!(format!("{value:?}")));
    }
}

impl ChromeTrace {
    pub(crate) fn new(file: PartFile) -> Self {
        let sheet = Sheet { file: Some(file), began: Instant::now(), count: 0, failure: None };
        Self(Arc::new(Mutex::new(sheet)))
    }

    fn with<T>(&self, act: impl FnOnce(&mut Sheet) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Microseconds since the beginning.
    fn now(&self) -> f64 {
        const MICROSECONDS: f64 = 1e6;
        self.with(|sheet| sheet.began.elapsed().as_secs_f64() * MICROSECONDS)
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let told = |error: io::Error| Failure::Other(error.to_string());
        let (file, failure, count) =
            self.with(|sheet| (sheet.file.take(), sheet.failure.take(), sheet.count));
        if let Some(error) = failure {
            return Err(told(error));
        }
        let Some(mut file) = file else { return Ok(()) };
        writeln!(file, "{}", if count == 0 { "[]" } else { "\n]" }).map_err(told)?;
        file.finish()
    }
}

impl Sheet {
    fn write(&mut self, event: &Value) {
        let Some(file) = self.file.as_mut().filter(|_| self.failure.is_none()) else { return };
        let before = if self.count == 0 { "[\n" } else { ",\n" };
        self.count += 1;
        if let Err(error) = write!(file, "{before}{event}") {
            self.failure = Some(error);
        }
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for ChromeTrace {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut open = Open::default();
        attributes.record(&mut open);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(open);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let span = context.span(id);
        if let Some(open) =
            span.as_ref().map(|span| span.extensions_mut()).as_mut().and_then(|all| all.get_mut::<Open>())
        {
            values.record(open);
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let now = self.now();
        let span = context.span(id);
        if let Some(open) =
            span.as_ref().map(|span| span.extensions_mut()).as_mut().and_then(|all| all.get_mut::<Open>())
        {
            open.times.get_or_insert((now, now));
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let now = self.now();
        let span = context.span(id);
        if let Some(open) =
            span.as_ref().map(|span| span.extensions_mut()).as_mut().and_then(|all| all.get_mut::<Open>())
            && let Some((_, left)) = &mut open.times
        {
            *left = now;
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(open) = span.extensions_mut().remove::<Open>() else { return };
        let Some((entered, left)) = open.times else { return };
        let event = json!({
            "name": span.name(), "cat": span.metadata().target(), "ph": "X", "pid": 1, "tid": 1,
            "ts": entered, "dur": left - entered, "args": open.fields,
        });
        self.with(|sheet| sheet.write(&event));
    }
}
