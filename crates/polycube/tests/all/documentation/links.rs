//! Links between pages lead to files and headings that exist.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use polycube_testing::repository;

use super::pages::{Page, book, page, pages};

/// The targets of all links of a page that are not addresses on the web, with the lines in which they stand.
fn targets(page: &Page) -> Vec<(usize, &str)> {
    let links = page.prose().flat_map(|(number, line)| {
        let ends = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        ends.map(move |(target, _)| (number + 1, target))
    });
    links.filter(|(_, target)| !target.contains("://")).collect()
}

/// The path from the root that a link of a page means.
fn resolved(from: &str, target: &str) -> String {
    let mut path = PathBuf::new();
    let folder = Path::new(from).parent().expect("a page lies in a folder");
    for component in folder.join(target).components() {
        match component {
            Component::ParentDir => assert!(path.pop(), "{from}: {target} leaves the repository"),
            other => path.push(other),
        }
    }
    path.to_str().expect("text").to_owned()
}

/// The names of the headings of a page, as web pages make them: small letters, digits, `-` and `_`.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in page.prose() {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let name: String =
            kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect();
        let again = (1..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(again).find(|name| !anchors.contains(name));
        anchors.insert(free.expect("there are enough numbers"));
    }
    anchors
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for from in pages() {
        for (line, target) in targets(&from) {
            let (file, anchor) = target.split_once('#').map_or((target, None), |(f, a)| (f, Some(a)));
            let path = if file.is_empty() { from.path.clone() } else { resolved(&from.path, file) };
            let place = format!("{}:{line}: {target}", from.path);
            assert!(repository().join(&path).exists(), "{place}: there is no {path}");
            if let Some(anchor) = anchor {
                assert!(anchors(&page(&path)).contains(anchor), "{place}: there is no such heading");
            }
            count += 1;
        }
    }
    assert!(count > 150, "{count} links");
}

/// The book has all pages, each once; and none of them links to what is not in the book.
#[test]
fn the_book_is_complete() {
    let summary = page("docs/SUMMARY.md");
    let mut chapters: Vec<String> =
        targets(&summary).iter().map(|(_, target)| resolved(&summary.path, target)).collect();
    chapters.push(summary.path.clone());
    chapters.sort();
    assert_eq!(chapters, book());
    for path in &chapters {
        let page = page(path);
        for (line, target) in targets(&page) {
            let file = target.split('#').next().expect("a part");
            assert!(
                !file.contains('/') && (file.is_empty() || file.ends_with(".md")),
                "{path}:{line}: {target} is not a page of the book"
            );
        }
    }
}
