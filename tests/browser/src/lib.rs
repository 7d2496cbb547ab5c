//! Headless Chromium, driven over the WebDriver protocol.
#![cfg(feature = "browser")]

use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// A browser window. Dropping it ends the processes that it started.
pub struct Browser {
    // The driver ends last, because the client talks to it.
    client: Client,
    runtime: Runtime,
    _driver: Driver,
}

/// The process that controls the browser, and the directory with the browser's profile.
struct Driver {
    process: Child,
    profile: PathBuf,
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Both may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

impl Browser {
    /// Starts a browser with an empty profile; `None`, with a message, if none is installed.
    ///
    /// # Panics
    /// If the browser does not start.
    pub fn start(profile: &Path) -> Option<Self> {
        for program in ["chromium", "chromedriver"] {
            let found = Command::new(program).arg("--version").stdout(Stdio::null()).status();
            if found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                // Not `eprintln!`, whose output the harness hides for tests that pass.
                let _ = writeln!(io::stderr(), "skipped: `{program}` is not installed");
                return None;
            }
        }
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the driver starts");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let driver = Driver { process, profile: profile.to_owned() };
        let port = lines
            .map_while(Result::ok)
            .find_map(|line| {
                Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned())
            })
            .expect("the driver says where it listens");
        let profile = format!("--user-data-dir={}", profile.display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &profile,
        ];
        let capabilities = json!({ "goog:chromeOptions": { "args": arguments } });
        let Value::Object(capabilities) = capabilities else { unreachable!("it is an object") };
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let client = runtime
            .block_on(
                builder.capabilities(capabilities).connect(&format!("http://127.0.0.1:{port}")),
            )
            .expect("the browser starts");
        Some(Self { client, runtime, _driver: driver })
    }

    /// Shows a page.
    ///
    /// # Panics
    /// If there is none at `url`.
    pub fn open(&self, url: &str) {
        self.wait(self.client.goto(url));
    }

    /// Runs a script in the page and returns its result.
    ///
    /// # Panics
    /// If the script throws.
    pub fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.wait(self.client.execute(script, arguments))
    }

    /// Sets the width of the window, in CSS pixels.
    ///
    /// # Panics
    /// If the browser cannot.
    pub fn set_width(&self, width: u32) {
        self.wait(self.client.set_window_size(width, 900));
        assert_eq!(self.run("return innerWidth", vec![]), width);
    }

    /// Chooses a theme of rustdoc, as its settings do, and shows the page in it.
    ///
    /// # Panics
    /// If the page has no such theme.
    pub fn set_theme(&self, theme: &str) {
        let script = "localStorage.setItem('rustdoc-use-system-theme', 'false');
             localStorage.setItem('rustdoc-theme', arguments[0]);";
        self.run(script, vec![json!(theme)]);
        // What a page stores is visible to the next one only after a moment.
        let shown = || {
            std::thread::sleep(Duration::from_millis(100));
            self.wait(self.client.refresh());
            self.run("return document.documentElement.dataset.theme", vec![])
        };
        assert!((0..50).any(|_| shown() == theme), "there is no theme `{theme}`");
    }

    /// The targets of the results of a rustdoc search, once there are any.
    ///
    /// # Panics
    /// If the search does not finish.
    pub fn results(&self) -> Vec<String> {
        let result = Locator::Css(".search-results a");
        self.wait(self.client.wait().for_element(result));
        let script =
            "return [...document.querySelectorAll('.search-results a')].map(link => link.href)";
        let links = self.run(script, vec![]);
        links.as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from).collect()
    }

    fn wait<T>(&self, future: impl Future<Output = Result<T, CmdError>>) -> T {
        self.runtime.block_on(future).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // If the browser does not answer, it ends with its driver.
        let _ = self.runtime.block_on(self.client.clone().close());
    }
}
