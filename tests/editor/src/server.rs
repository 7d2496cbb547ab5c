//! A client of the language server protocol, as small as the tests allow.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// rust-analyzer, with one file open.
pub struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
    versions: u64,
    uri: String,
}

impl Server {
    /// Whether rust-analyzer is installed.
    pub fn is_installed() -> bool {
        let version = Command::new("rust-analyzer").arg("--version").output();
        version.is_ok_and(|version| version.status.success())
    }

    /// Starts the server in `package`, opens `src/lib.rs`, and waits until the server has read everything.
    ///
    /// # Errors
    /// If the server cannot be started, or ends.
    pub fn start(package: &Path, target: &Path) -> io::Result<Self> {
        let mut process = Command::new("rust-analyzer")
            .current_dir(package)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("the server has no input or no output"));
        };
        let uri = |path: &Path| format!("file://{}", path.display());
        let mut server = Self {
            process,
            input,
            output: BufReader::new(output),
            requests: 0,
            versions: 0,
            uri: uri(&package.join("src/lib.rs")),
        };
        server.request(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": uri(package),
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "hover": { "contentFormat": ["markdown"] } },
                },
                "initializationOptions": {
                    "cachePriming": { "enable": false },
                    "cargo": { "targetDir": target },
                    "checkOnSave": false,
                    "completion": { "autoimport": { "enable": false } },
                },
            }),
        )?;
        server.notify("initialized", &json!({}))?;
        let text = std::fs::read_to_string(package.join("src/lib.rs"))?;
        let document =
            json!({ "uri": server.uri, "languageId": "rust", "version": 0, "text": text });
        server.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
        loop {
            let message = server.message()?;
            if message["method"] == "experimental/serverStatus"
                && message["params"]["quiescent"] == true
            {
                return Ok(server);
            }
        }
    }

    /// Replaces the open file by `text`, in which `$0` marks the cursor, and sends the request `method` for that position.
    ///
    /// # Errors
    /// If the server ends.
    pub fn ask(&mut self, method: &str, text: &str) -> io::Result<Value> {
        let (before, after) = text.split_once("$0").unwrap_or((text, ""));
        self.versions += 1;
        let document = json!({ "uri": self.uri, "version": self.versions });
        let change = json!({ "text": format!("{before}{after}") });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.notify("textDocument/didChange", &params)?;
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap_or_default().len();
        let position = json!({ "line": line, "character": character });
        self.request(method, &json!({ "textDocument": { "uri": self.uri }, "position": position }))
    }

    /// The result of a request.
    fn request(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let mut message = self.message()?;
            if message["id"] == id && message.get("method").is_none() {
                if message.get("error").is_some() {
                    return Err(io::Error::other(message["error"].to_string()));
                }
                return Ok(message["result"].take());
            }
        }
    }

    fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.input.flush()
    }

    /// The next message. Requests from the server are answered with nothing.
    fn message(&mut self) -> io::Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::other("the server has ended"));
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", bytes)) => {
                    length = bytes.parse().map_err(io::Error::other)?;
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text)?;
        let message: Value = serde_json::from_slice(&text)?;
        if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
            let items = message["params"]["items"].as_array().map_or(0, Vec::len);
            let result = if items > 0 { json!(vec![Value::Null; items]) } else { Value::Null };
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
        }
        Ok(message)
    }
}

/// The server writes no files, so it is simply ended.
impl Drop for Server {
    fn drop(&mut self) {
        // A process that has already ended cannot be ended again.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
