//! The command line: reads arguments, wires the parts, prints for the person. What never lives here:
//! rules, SQL, HTTP.

mod demo;
mod failure;
mod replay;
mod running;
mod serve;
mod terminal;
mod verify;

pub use failure::Failure;

use crate::value::Engine;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Give AI agents exactly as much of a database as you mean to, and take it back at any moment.
#[derive(Debug, Parser)]
#[command(
    name = "dbeast",
    version,
    about,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the doors for agents and for yourself (the default)
    Serve(ServeArguments),
    /// Try it: a shop database that DBeast makes itself, one connection, everything temporary
    Demo(DemoArguments),
    /// Check SQL without a database: JSON Lines in, JSON Lines out
    Verify(VerifyArguments),
    /// Tell a saved recording as a transcript and see whether everything happens again
    Replay(ReplayArguments),
}

#[derive(Clone, Debug, Args)]
struct ServeArguments {
    /// Folder of the configuration [default: the platform's own place]
    #[arg(long, value_name = "DIR")]
    config_dir: Option<PathBuf>,
    #[command(flatten)]
    doors: DoorArguments,
    /// Where connections and sharing are kept
    #[arg(long, value_enum, default_value_t = VaultChoice::Keychain)]
    vault: VaultChoice,
    /// Let this folder's connections replace those that the keychain holds for another folder
    #[arg(long)]
    replace_vault: bool,
}

#[derive(Clone, Debug, Args)]
struct DoorArguments {
    /// Port of your web interface on 127.0.0.1; 0 takes any free one [default: 0]
    #[arg(long, value_name = "PORT")]
    ui_port: Option<u16>,
    /// Port for agents on 127.0.0.1; 0 takes any free one [default: 54832, demo: 0]
    #[arg(long, value_name = "PORT")]
    mcp_port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Print one line of JSON with both addresses first; the only way to get the link without a terminal
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VaultChoice {
    /// The system keychain
    Keychain,
    /// Nowhere: gone when DBeast ends
    Memory,
}

#[derive(Debug, Args)]
struct DemoArguments {
    #[command(flatten)]
    doors: DoorArguments,
    /// Play the whole conversation with a real client and end
    #[arg(long, conflicts_with = "json")]
    script: bool,
}

#[derive(Debug, Args)]
struct VerifyArguments {
    /// Whose SQL it is
    #[arg(long, value_enum)]
    dialect: Dialect,
    /// Check each as one INSERT, UPDATE or DELETE of one table, not as a read
    #[arg(long)]
    write: bool,
    /// Say where in the text a refusal lies, and what would be accepted
    #[arg(long)]
    explain: bool,
    /// JSON Lines with "id" and "sql"; - or nothing reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ReplayArguments {
    /// The file that Save recording made
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print only the last line
    #[arg(long)]
    quiet: bool,
    /// Also write it as a story for tests/scenarios; its name becomes the title
    #[arg(long, value_name = "FILE.story")]
    story: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Dialect {
    Sqlite,
    Postgres,
    Mysql,
    Mariadb,
}

impl Dialect {
    const fn engine(self) -> Engine {
        match self {
            Self::Sqlite => Engine::Sqlite,
            Self::Postgres => Engine::Postgres,
            Self::Mysql => Engine::Mysql,
            Self::Mariadb => Engine::Mariadb,
        }
    }
}

/// Does what the arguments say.
pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        None => serve::run(arguments.serve).await,
        Some(Command::Serve(serve)) => serve::run(serve).await,
        Some(Command::Demo(demo)) => demo::run(demo).await,
        Some(Command::Verify(verify)) => verify::run(&verify),
        Some(Command::Replay(replay)) => replay::run(&replay),
    }
}
