//! The pages of the documentation, and the blocks in them.

use std::fs;

use polycube_testing::repository;

/// A page: its path from the root of the repository, and its text.
pub struct Page {
    pub path: String,
    pub text: String,
}

/// A fenced block.
pub struct Block<'p> {
    /// Where it starts, for messages.
    pub place: String,
    /// What stands behind the fence, up to the first comma.
    pub language: &'p str,
    /// What stands behind that comma.
    pub kind: &'p str,
    /// What it says.
    pub text: String,
    /// The name of the file that it is said to be, in a comment in the line before it.
    pub file: Option<&'p str>,
}

/// Every page that we keep: those of the book, and those in the other folders.
pub fn pages() -> Vec<Page> {
    let others = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md"];
    let others = others.map(str::to_owned);
    let mut paths = book();
    paths.extend(others);
    paths.into_iter().map(page).collect()
}

/// The paths of all pages of the book, in the order of their names.
pub fn book() -> Vec<String> {
    let files = fs::read_dir(repository().join("docs")).expect("the folder of the documentation");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let mut paths: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    paths.sort();
    paths
}

/// The page at a path from the root of the repository.
pub fn page(path: impl Into<String>) -> Page {
    let path = path.into();
    let text = fs::read_to_string(repository().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Page { path, text }
}

impl Page {
    /// Its fenced blocks.
    pub fn blocks(&self) -> Vec<Block<'_>> {
        let (mut blocks, mut before) = (Vec::new(), "");
        let mut lines = self.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if let Some(info) = line.strip_prefix("```") {
                let (language, kind) = info.split_once(',').unwrap_or((info, ""));
                let text = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
                let text = text.map(|line| format!("{line}\n")).collect();
                let file = before.strip_prefix("<!-- ").and_then(|name| name.strip_suffix(" -->"));
                blocks.push(Block {
                    place: format!("{}:{}", self.path, number + 1),
                    language,
                    kind,
                    text,
                    file,
                });
            }
            before = line;
        }
        blocks
    }

    /// Its lines outside of blocks.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut inside = false;
        self.text.lines().enumerate().filter(move |(_, line)| {
            let is_fence = line.starts_with("```");
            inside ^= is_fence;
            !inside && !is_fence
        })
    }
}
