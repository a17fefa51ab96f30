//! What the engine tells of its work while it runs: lines on standard error, or a file for trace viewers.

use crate::Failure;
use crate::chrome::ChromeTrace;
use crate::part::PartFile;
use std::io;
use std::path::PathBuf;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::{Layer, SubscriberExt};

/// What is told, and where.
#[derive(clap::Args)]
pub(crate) struct TracingArguments {
    /// Tell of every step and impact on standard error; twice: of every stage, island and question to the solver, too.
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Write what -vv tells as a file in the trace format of Chrome, for `chrome://tracing` or Perfetto. It grows fast: take
    /// short runs.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Listening, until it ends.
pub(crate) struct Tracing(Option<ChromeTrace>);

impl TracingArguments {
    /// Listens from now on.
    pub(crate) fn begin(&self) -> Result<Tracing, Failure> {
        let level = match self.verbose {
            0 => LevelFilter::OFF,
            1 => LevelFilter::DEBUG,
            _ => LevelFilter::TRACE,
        };
        let chrome = match &self.trace {
            Some(path) => Some(ChromeTrace::new(PartFile::create(path)?)),
            None => None,
        };
        if self.verbose == 0 && chrome.is_none() {
            return Ok(Tracing(None));
        }
        let lines = fmt::layer()
            .with_writer(io::stderr)
            .with_ansi(false)
            .without_time()
            .with_span_events(FmtSpan::CLOSE)
            .with_filter(level);
        let all = tracing_subscriber::registry().with(lines).with(chrome.clone());
        let listening = tracing::subscriber::set_global_default(all);
        listening.map_err(|error| Failure::Other(format!("cannot listen to the engine: {error}")))?;
        Ok(Tracing(chrome))
    }
}

impl Tracing {
    /// Completes the file.
    pub(crate) fn end(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), |chrome| chrome.finish())
    }
}
