#![allow(clippy::print_stdout, clippy::print_stderr)]
use polycube_murphi::{check::check, parameter::candidates, translate::translate};
fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read(&path).expect("readable");
    let text = String::from_utf8_lossy(&text).into_owned();
    let checked = check(&text, &[]);
    let lines = polycube_language::span::Lines::new(&text);
    let show = |d: &polycube_language::diagnostic::Diagnostic| {
        let p = lines.position(d.primary.span.start);
        eprintln!(
            "{path}:{}:{}: {} [{}] {}",
            p.line,
            p.column,
            d.message,
            d.primary.text,
            lines.line(p.line).text(&text).trim()
        );
    };
    checked.diagnostics.iter().for_each(show);
    let Some(model) = checked.model else { std::process::exit(2) };
    let found = candidates(&model);
    eprintln!("candidates {:?}", found.iter().map(|id| model.type_name(*id)).collect::<Vec<_>>());
    match translate(&model, found[0]) {
        Ok(system) => println!("{}", system.to_source()),
        Err(diagnostics) => {
            diagnostics.iter().for_each(show);
            std::process::exit(1)
        }
    }
}
