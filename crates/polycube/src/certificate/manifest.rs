//! The manifest of a certificate: see docs/certificates.md.

use polycube_certificate::hint::{Hint, Hints};
use polycube_certificate::smtlib::Script;
use polycube_certificate::{Invariant, Obligation};
use polycube_language::System;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Certificate, MODEL, script_file};

const FORMAT: &str = "polycube-certificate";

const VERSION: u32 = 2;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    pub(crate) origin: Provenance,
    pub(crate) model: ModelFile,
    pub(crate) invariant: Vec<ClauseText>,
    pub(crate) files: Vec<ScriptFile>,
    pub(crate) obligations: Vec<ObligationText>,
}

/// Where a certificate comes from. Nothing depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Provenance {
    pub(crate) tool: String,
    /// The file that was verified, as it was named.
    pub(crate) file: String,
    /// How it was verified.
    pub(crate) engine: String,
    pub(crate) search: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelFile {
    pub(crate) file: String,
    pub(crate) sha256: String,
}

/// A clause of the invariant: no reachable state has different processes for which the formula holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClauseText {
    pub(crate) parameters: Vec<String>,
    pub(crate) never: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptFile {
    pub(crate) file: String,
    pub(crate) sha256: String,
    pub(crate) states: String,
    /// How many questions it asks, if it is a script for solvers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checks: Option<usize>,
}

/// An obligation. Clauses, transitions and properties have numbers from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObligationText {
    pub(crate) kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transition: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clause: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) property: Option<usize>,
    pub(crate) file: String,
    /// The instances of clauses that it follows from; all of them if there is nothing here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<Vec<String>>,
}

impl Manifest {
    pub(crate) fn new(
        certificate: &Certificate,
        scripts: &[Script],
        for_why3: &[(&str, &str, String)],
    ) -> Manifest {
        let Certificate { text, system, invariant, origin, .. } = certificate;
        let file = |script: &Script| ScriptFile {
            file: script_file(&script.name),
            sha256: hash(&script.text),
            states: script.title.clone(),
            checks: Some(script.checks.len()),
        };
        let mut files: Vec<ScriptFile> = scripts.iter().map(file).collect();
        files.extend(for_why3.iter().map(|(name, states, content)| ScriptFile {
            file: (*name).to_owned(),
            sha256: hash(content),
            states: (*states).to_owned(),
            checks: None,
        }));
        let clauses = invariant.clauses.iter().map(|clause| (&clause.parameters[..], &clause.never));
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            origin: origin.clone(),
            model: ModelFile { file: MODEL.to_owned(), sha256: hash(text) },
            invariant: super::clause_texts(system, clauses),
            files,
            obligations: certificate
                .obligations()
                .iter()
                .map(|one| obligation_text(certificate, one))
                .collect(),
        }
    }

    /// The manifest as text: one line for each clause, file and obligation.
    pub(crate) fn to_text(&self) -> String {
        fn line(value: &impl Serialize) -> String {
            serde_json::to_string(value).expect("a manifest can be written")
        }
        fn list(values: &[impl Serialize]) -> String {
            let lines: Vec<String> = values.iter().map(|value| format!("\n    {}", line(value))).collect();
            format!("[{}\n  ]", lines.join(","))
        }
        let Manifest { format, version, origin, model, invariant, files, obligations } = self;
        let fields = [
            ("format", line(format)),
            ("version", line(version)),
            ("origin", line(origin)),
            ("model", line(model)),
            ("invariant", list(invariant)),
            ("files", list(files)),
            ("obligations", list(obligations)),
        ];
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }

    pub(crate) fn read(text: &str) -> Result<Manifest, String> {
        let manifest: Manifest = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if manifest.format != FORMAT {
            return Err(format!("its format is `{}`, not `{FORMAT}`", manifest.format));
        }
        if manifest.version != VERSION {
            let version = manifest.version;
            return Err(format!("its format has version {version}; this program knows version {VERSION}"));
        }
        Ok(manifest)
    }

    pub(crate) fn hints(&self, system: &System, invariant: &Invariant) -> Result<Hints, String> {
        let all = Obligation::all(system, invariant);
        let mut hints = Hints::new();
        for (number, (text, obligation)) in self.obligations.iter().zip(all).enumerate() {
            let Some(from) = &text.from else { continue };
            let instances = from.iter().map(|text| {
                let no_instance =
                    || format!("obligation {}: `{text}` is no instance of a clause", number + 1);
                Hint::parse(system, invariant, text).ok_or_else(no_instance)
            });
            hints.insert(obligation, instances.collect::<Result<_, String>>()?);
        }
        Ok(hints)
    }
}

fn obligation_text(certificate: &Certificate, obligation: &Obligation) -> ObligationText {
    let (kind, transition, clause, property) = match *obligation {
        Obligation::Initially { clause } => ("initially", None, Some(clause), None),
        Obligation::Preserved { transition, clause } => ("preserved", Some(transition), Some(clause), None),
        Obligation::Excludes { property } => ("excludes", None, None, Some(property)),
    };
    let number = |at: Option<usize>| at.map(|at| at + 1);
    let instance = |hint: &Hint| hint.display(&certificate.system).to_string();
    ObligationText {
        kind: kind.to_owned(),
        transition: number(transition),
        clause: number(clause),
        property: number(property),
        file: certificate.script_file(*obligation),
        from: certificate.hints.get(obligation).map(|hints| hints.iter().map(instance).collect()),
    }
}

/// The hash of a file, in hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
