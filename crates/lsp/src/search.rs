//! Searches that a client asks for: they are started, replaced, given up, and their findings told.

use std::path::Path;
use std::str::FromStr;

use lsp_server::RequestId;
use lsp_types::notification as notifications;
use lsp_types::request as requests;
use lsp_types::{
    ExecuteCommandParams, NumberOrString, ProgressParams, ProgressParamsValue, ProgressToken,
    ShowDocumentParams, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::{Value, json};

use crate::command;
use crate::host::{Findings, Task, Verdict, Work};
use crate::job::{Event, Job};
use crate::refusal::Refusal;
use crate::server::{Server, read};

impl Server {
    /// Starts a search, which takes the place of one that works on the same document.
    pub(crate) fn execute(&mut self, id: &RequestId, params: &Value) -> Result<(), Refusal> {
        let parameters: ExecuteCommandParams = read(params)?;
        let (uri, task) = command::read(&parameters)?;
        let Some(document) = self.documents.get(&uri) else {
            return Err(Refusal::wrong_parameters(format!("the document `{uri}` is not open")));
        };
        if document.is_too_large() {
            return Err(Refusal::impossible("the document is too large: use the command line"));
        }
        let work = Work { task, name: file_name(&uri), text: document.text.as_str().to_owned() };
        self.give_up(|job| job.uri == uri, || Refusal::cancelled("another search has taken its place"));
        self.made += 1;
        let progress = parameters.work_done_progress_params.work_done_token;
        let progress = progress.or_else(|| self.new_token());
        if let Some(token) = &progress {
            let title = match task {
                Task::Verify => "verifying",
                Task::Explore { .. } => "exploring",
            };
            let begin = WorkDoneProgressBegin {
                title: title.to_owned(),
                cancellable: Some(true),
                ..WorkDoneProgressBegin::default()
            };
            self.progress(token.clone(), WorkDoneProgress::Begin(begin));
        }
        let job = (self.made, id.clone(), uri, progress);
        self.jobs.push(Job::start(self.host.clone(), work, job, self.events.0.clone()));
        Ok(())
    }

    pub(crate) fn event(&mut self, event: Event) {
        match event {
            Event::Progress(number, text) => {
                let job = self.jobs.iter().find(|job| job.number == number);
                if let Some(token) = job.and_then(|job| job.progress.clone()) {
                    let report =
                        WorkDoneProgressReport { message: Some(text), ..WorkDoneProgressReport::default() };
                    self.progress(token, WorkDoneProgress::Report(report));
                }
            }
            Event::Finished(number, findings) => {
                // A job that was given up may still come to an end.
                if let Some(at) = self.jobs.iter().position(|job| job.number == number) {
                    let job = self.jobs.remove(at);
                    self.end_progress(&job);
                    match findings {
                        Ok(findings) => self.finished(&job, findings),
                        Err(why) => self.answer(job.request.clone(), Err(Refusal::impossible(why))),
                    }
                }
            }
        }
    }

    fn finished(&mut self, job: &Job, findings: Findings) {
        let verdict = findings.list.iter().map(|finding| finding.verdict).max();
        let has_run = verdict == Some(Verdict::Unsafe);
        let document =
            if has_run && self.client.opens_documents { self.show(&findings.report) } else { None };
        let answer = json!({
            "verdict": verdict.map(Verdict::name),
            "report": findings.report,
            "document": document,
        });
        self.answer(job.request.clone(), Ok(answer));
        if let Some(document) = self.documents.get_mut(&job.uri) {
            document.findings = Some(findings);
            document.is_unpublished = true;
        }
    }

    /// Has the client open a report; returns its address.
    fn show(&mut self, report: &str) -> Option<Uri> {
        let uri = file_uri(&self.host.write_report(report)?)?;
        self.demand::<requests::ShowDocument>(ShowDocumentParams {
            uri: uri.clone(),
            external: Some(false),
            take_focus: Some(false),
            selection: None,
        });
        Some(uri)
    }

    /// Ends the searches of some kind, and says why.
    pub(crate) fn give_up(&mut self, which: impl Fn(&Job) -> bool, why: impl Fn() -> Refusal) {
        let (ended, kept) = std::mem::take(&mut self.jobs).into_iter().partition(which);
        self.jobs = kept;
        for job in ended {
            self.end_progress(&job);
            self.answer(job.request.clone(), Err(why()));
        }
    }

    fn new_token(&mut self) -> Option<ProgressToken> {
        if !self.client.shows_progress {
            return None;
        }
        let token = NumberOrString::String(format!("polycube-{}", self.made));
        let create = WorkDoneProgressCreateParams { token: token.clone() };
        self.demand::<requests::WorkDoneProgressCreate>(create);
        Some(token)
    }

    fn end_progress(&mut self, job: &Job) {
        if let Some(token) = job.progress.clone() {
            self.progress(token, WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }

    fn progress(&mut self, token: ProgressToken, what: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(what);
        self.tell::<notifications::Progress>(ProgressParams { token, value });
    }
}

/// The last part of an address.
fn file_name(uri: &str) -> String {
    uri.rsplit('/').next().unwrap_or(uri).to_owned()
}

/// The address of a file, with everything escaped that has a meaning in addresses.
fn file_uri(path: &Path) -> Option<Uri> {
    let mut uri = String::from("file://");
    for byte in path.to_str()?.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}
