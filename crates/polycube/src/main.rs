//! The program `polycube`.

use std::process::ExitCode;

use clap::Parser;
use polycube::arguments::Arguments;
use polycube::{Console, run};

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
        let version = env!("CARGO_PKG_VERSION");
        anstream::eprintln!("polycube {version} has a bug: it stopped itself at a broken invariant{place}.");
        anstream::eprintln!("{}", panic.payload_as_str().unwrap_or("no message"));
        anstream::eprintln!("Please report this, with the model and the command line.");
        std::process::exit(101);
    }));
    let arguments = Arguments::parse();
    let mut console = Console::new(arguments.color, arguments.progress);
    let outcome = run(&arguments.command, &mut console);
    outcome.exit_code()
}
