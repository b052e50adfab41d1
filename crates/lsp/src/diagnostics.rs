//! Errors and warnings of the checker, and findings of searches, as the protocol has them.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
};
use polycube_language::diagnostic::{self, Code, Severity};

use crate::document::Open;
use crate::host::{Finding, Verdict};

const SOURCE: &str = "polycube";

/// What the checker says about a document.
pub(crate) fn of_checker(open: &Open<'_>) -> Vec<Diagnostic> {
    open.checked.diagnostics.iter().map(|diagnostic| of_one(open, diagnostic)).collect()
}

pub(crate) fn of_one(open: &Open<'_>, diagnostic: &diagnostic::Diagnostic) -> Diagnostic {
    let related = diagnostic.secondary.iter().map(|label| DiagnosticRelatedInformation {
        location: Location { uri: open.uri.clone(), range: open.range(label.span) },
        message: label.text.clone(),
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Diagnostic {
        range: open.range(diagnostic.primary.span),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(diagnostic.code.name().to_owned())),
        source: Some(SOURCE.to_owned()),
        message: message(diagnostic),
        related_information: (!related.is_empty()).then_some(related),
        tags: (diagnostic.code == Code::Unused).then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}

/// What there is to say about a model in another language.
pub(crate) fn of_murphi() -> Diagnostic {
    Diagnostic {
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some(SOURCE.to_owned()),
        message:
            "models written for Murphi are not checked here; `polycube check` reports what is wrong with them"
                .to_owned(),
        ..Diagnostic::default()
    }
}

/// Everything that the command line says too.
fn message(diagnostic: &diagnostic::Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    let label = Some(&diagnostic.primary.text).filter(|text| !text.is_empty());
    let lines = label.cloned().into_iter();
    let lines = lines.chain(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    for line in lines.chain(diagnostic.help.iter().map(|help| format!("help: {help}"))) {
        message.push('\n');
        message.push_str(&line);
    }
    message
}

/// What a search has found out.
pub(crate) fn of_finding(open: &Open<'_>, finding: &Finding) -> Diagnostic {
    Diagnostic {
        range: open.range(finding.place),
        severity: Some(match finding.verdict {
            Verdict::Safe => DiagnosticSeverity::INFORMATION,
            Verdict::Unknown => DiagnosticSeverity::WARNING,
            Verdict::Unsafe => DiagnosticSeverity::ERROR,
        }),
        code: Some(NumberOrString::String(finding.verdict.name().to_owned())),
        source: Some(SOURCE.to_owned()),
        message: finding.message.clone(),
        ..Diagnostic::default()
    }
}
