//! x
use super::parse;

#[test]
fn corpus() {
    for f in std::fs::read_dir("/work/shared/corpus/murphi").unwrap() {
        let p = f.unwrap().path();
        if p.extension().is_some_and(|e| e == "m") {
            let t = std::fs::read_to_string(&p).unwrap();
            let parsed = parse(&t);
            for d in parsed.diagnostics.iter() {
                let line = t[..d.primary.span.start as usize].lines().count();
                println!("{}:{} {:?}", p.display(), line, d);
            }
        }
    }
}
