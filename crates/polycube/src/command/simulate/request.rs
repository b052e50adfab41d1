//! A transition and its processes, as a user names them.

/// `enter`, `enter #1 #2`, `enter 1 2`, or `enter(#1, #2)`.
pub(super) struct Request<'t> {
    pub name: &'t str,
    /// None at all may stand for any.
    pub arguments: Vec<u32>,
}

impl<'t> Request<'t> {
    /// The first word of a text.
    pub(super) fn name(text: &'t str) -> Option<&'t str> {
        words(text).next()
    }

    /// None if nothing is named; an error if something is no process.
    pub(super) fn parse(text: &'t str) -> Result<Option<Request<'t>>, String> {
        let mut words = words(text);
        let Some(name) = words.next() else { return Ok(None) };
        let process = |word: &str| {
            let number = word.strip_prefix('#').unwrap_or(word).parse::<u32>();
            number.map_err(|_| format!("`{word}` is not a process, such as `#1`.\n"))
        };
        let arguments = words.map(process).collect::<Result<Vec<u32>, String>>()?;
        Ok(Some(Request { name, arguments }))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '(', ')', ',']).filter(|word| !word.is_empty())
}
