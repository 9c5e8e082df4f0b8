//! Builds the person's interface (`ui/`) with npm and writes the table of its files, which
//! `http::person::assets` carries inside the program.
//!
//! Nothing is downloaded but what `ui/package-lock.json` names. Whatever is missing stops the build
//! with what to install, and with how to build without an interface.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the interface is made of, below `ui/`. A change of any of them builds it again.
const SOURCES: [&str; 9] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    ".npmrc",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
];
/// The oldest Node.js of each line that Vite runs on. Newer lines are taken as they are.
const NODE_LEAST: [(u32, u32); 2] = [(20, 19), (22, 12)];
/// Lines of a failed command that are worth reading.
const LINES_SHOWN_MAX: usize = 12;
/// A copy of the lock file in `ui/node_modules`: what is installed there.
const STAMP: &str = ".dbeast-installed-lock";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(error) = run() {
        // `cargo::error` shows the message alone, without a panic around it.
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
    }
}

fn run() -> Outcome<()> {
    // The core has no door that could hand files out, and is built often.
    if std::env::var_os("CARGO_FEATURE_PROGRAM").is_none() {
        return Ok(());
    }
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env("OUT_DIR")?);
    let ui = root.join("ui");
    // Documentation is built without network, and shows no interface.
    let is_wanted = std::env::var_os("CARGO_FEATURE_UI").is_some();
    let built = if !is_wanted || std::env::var_os("DOCS_RS").is_some() {
        None
    } else if ui.join("dist/index.html").is_file() && !ui.join("src").exists() {
        // A published package carries the finished files instead of their sources.
        println!("cargo::rerun-if-changed=ui/dist");
        Some(ui.join("dist"))
    } else {
        Some(build(&ui, &out)?)
    };
    fs::write(out.join("assets.rs"), table(built.as_deref())?)?;
    Ok(())
}

fn build(ui: &Path, out: &Path) -> Outcome<PathBuf> {
    for source in SOURCES {
        // A path that does not exist would build it again each time.
        if ui.join(source).exists() {
            println!("cargo::rerun-if-changed=ui/{source}");
        }
    }
    check_node()?;
    check_npm()?;
    install(ui)?;
    let dist = out.join("ui");
    let mut vite = npm(ui);
    vite.args(["run", "build", "--silent", "--", "--emptyOutDir", "--logLevel", "warn"]);
    finish(vite.arg("--outDir").arg(&dist), "npm run build (in ui/)")?;
    if !dist.join("index.html").is_file() {
        return Err(failed("npm run build (in ui/) made no index.html"));
    }
    Ok(dist)
}

fn check_node() -> Outcome<()> {
    let Ok(output) = Command::new("node").arg("--version").output() else {
        return Err(missing("Node.js was not found: there is no `node` on the PATH"));
    };
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
        return Err(missing(&format!(
            "`node --version` answered {version:?}, which is no version"
        )));
    };
    let is_new_enough = match NODE_LEAST.iter().find(|(line, _)| *line == major) {
        Some((_, least)) => minor >= *least,
        None => NODE_LEAST.iter().all(|(line, _)| major > *line),
    };
    if is_new_enough {
        Ok(())
    } else {
        Err(missing(&format!("Node.js {version} is too old: 20.19 or 22.12 or newer is needed")))
    }
}

fn check_npm() -> Outcome<()> {
    match npm(Path::new(".")).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) | Err(_) => Err(missing("npm was not found: there is no working `npm` on the PATH")),
    }
}

/// Installs what the lock file names, if that is not what is installed already.
fn install(ui: &Path) -> Outcome<()> {
    let lock = ui.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|_| failed("ui/package-lock.json is missing"))?;
    let stamp = ui.join("node_modules").join(STAMP);
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    finish(npm(ui).args(["ci", "--no-audit", "--no-fund"]), "npm ci (in ui/)")?;
    fs::write(stamp, wanted)?;
    Ok(())
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder).env("NO_COLOR", "1").env("NO_UPDATE_NOTIFIER", "1");
    command
}

fn finish(command: &mut Command, name: &str) -> Outcome<()> {
    let output = command.output().map_err(|error| failed(&format!("{name}: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(&format!("{name} failed ({}). It says:\n{}", output.status, head(&output))))
}

/// Both tools say first what was wrong, and then how they are used in general.
fn head(output: &Output) -> String {
    let (err, out) =
        (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    err.lines().chain(out.lines()).take(LINES_SHOWN_MAX).collect::<Vec<_>>().join("\n")
}

/// Something that must be installed first is missing.
fn missing(what: &str) -> Box<dyn Error> {
    failed(&format!(
        "{what}.\n\
         Install Node.js 20.19 or newer (or 22.12 or newer) with npm: apt-get install nodejs npm, \
         or https://nodejs.org/ where the system's own version is older"
    ))
}

fn failed(what: &str) -> Box<dyn Error> {
    format!(
        "The interface of DBeast cannot be built. {what}\n\
         To build DBeast without its interface: \
         cargo build --no-default-features --features program"
    )
    .into()
}

/// The Rust source of the table, ordered by path.
fn table(folder: Option<&Path>) -> Outcome<String> {
    let mut files = Vec::new();
    if let Some(folder) = folder {
        collect(folder, "", &mut files)?;
    }
    files.sort();
    let mut text = String::from("static ASSETS: &[Asset] = &[\n");
    for (path, file) in files {
        let content_type = content_type(&path)?;
        let file = file.to_str().ok_or("the build folder's path is not UTF-8")?;
        writeln!(
            text,
            "    Asset {{ path: {path:?}, content_type: {content_type:?}, \
             bytes: include_bytes!({file:?}) }},"
        )?;
    }
    text.push_str("];\n");
    Ok(text)
}

fn collect(folder: &Path, at: &str, files: &mut Vec<(String, PathBuf)>) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().ok_or("a file of the interface has a name that is not UTF-8")?;
        let path = format!("{at}/{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, files)?;
        } else {
            files.push((path, entry.path()));
        }
    }
    Ok(())
}

fn content_type(path: &str) -> Outcome<&'static str> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    Ok(match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        _ => return Err(format!("no content type is known for {path} (see build.rs)").into()),
    })
}

fn env(name: &str) -> Outcome<String> {
    std::env::var_os(name)
        .and_then(|value| value.into_string().ok())
        .ok_or_else(|| format!("cargo did not set {name}").into())
}
