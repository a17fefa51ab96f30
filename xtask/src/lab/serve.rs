//! A folder over HTTP, to this machine only.

use crate::{TaskError, complain, say};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// Longest head of a request that is read (bytes).
const LONGEST_HEAD: u64 = 16 * 1024;

/// How long a silent connection is kept.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves a folder until the command is ended.
pub(super) fn serve(folder: &Path, port: u16) -> Result<(), TaskError> {
    if !folder.join("index.html").is_file() {
        return Err(format!("{} holds no page: build it first", folder.display()).into());
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("port {port} cannot be used: {error}; choose another with --port"))?;
    say(&format!("http://{}/ (Ctrl+C ends it)", listener.local_addr()?));
    for stream in listener.incoming() {
        let folder = folder.to_owned();
        let stream = stream?;
        std::thread::spawn(move || {
            if let Err(error) = answer(&stream, &folder) {
                complain(&format!("a connection broke: {error}"));
            }
        });
    }
    Ok(())
}

fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(LONGEST_HEAD)).lines();
    let Some(request) = lines.next().transpose()? else { return Ok(()) };
    // The rest of the head says nothing that matters here, but must be read before the answer.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let file = file_of(folder, target).filter(|_| matches!(method, "GET" | "HEAD"));
    let (status, kind, body) = match file.and_then(|file| Some((kind(&file), fs::read(file).ok()?))) {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain; charset=utf-8", b"there is nothing here\n".to_vec()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: \
         close\r\n\r\n",
        body.len()
    )?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The file that a request asks for, within the folder.
fn file_of(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.trim_start_matches('/');
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| folder.join(path))
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_beyond_the_folder_is_served() {
        let folder = Path::new("/lab");
        assert_eq!(file_of(folder, "/").unwrap(), Path::new("/lab/index.html"));
        assert_eq!(file_of(folder, "/a/b.js?x=1").unwrap(), Path::new("/lab/a/b.js"));
        assert_eq!(file_of(folder, "/../secret"), None);
        assert_eq!(file_of(folder, "/a/../../secret"), None);
        assert_eq!(kind(Path::new("engine2d.wasm")), "application/wasm");
    }
}
