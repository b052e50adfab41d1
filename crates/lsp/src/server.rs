//! The server: takes messages of one client, and answers them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as notifications, Notification as _};
use lsp_types::request::{self as requests, Request as _};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeParams, NumberOrString, PublishDiagnosticsParams, WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::capabilities::{self, Client};
use crate::diagnostics;
use crate::document::Document;
use crate::host::Host;
use crate::job::{Event, Job};
use crate::refusal::Refusal;

/// How a client left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It said that it would, and did.
    Properly,
    /// It did not say so, or is gone.
    Suddenly,
}

/// Answers a client until it leaves.
pub fn serve(connection: &Connection, host: Arc<dyn Host>, version: &str) -> Ended {
    let Ok((id, parameters)) = connection.initialize_start() else { return Ended::Suddenly };
    // What cannot be read says nothing about the client: it gets what every client can do with.
    let parameters: InitializeParams = serde_json::from_value(parameters).unwrap_or_default();
    let client = Client::of(&parameters);
    let answer = json!({
        "capabilities": capabilities::server(client),
        "serverInfo": { "name": "polycube", "version": version },
    });
    if connection.initialize_finish(id, answer).is_err() {
        return Ended::Suddenly;
    }
    Server::new(connection.sender.clone(), client, host).run(&connection.receiver)
}

pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) host: Arc<dyn Host>,
    sender: Sender<Message>,
    pub(crate) documents: BTreeMap<String, Document>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) events: (Sender<Event>, Receiver<Event>),
    /// How many requests and jobs this server has made.
    pub(crate) made: u32,
    pub(crate) is_shut_down: bool,
}

impl Server {
    fn new(sender: Sender<Message>, client: Client, host: Arc<dyn Host>) -> Server {
        Server {
            client,
            host,
            sender,
            documents: BTreeMap::new(),
            jobs: Vec::new(),
            events: unbounded(),
            made: 0,
            is_shut_down: false,
        }
    }

    fn run(&mut self, messages: &Receiver<Message>) -> Ended {
        let events = self.events.1.clone();
        loop {
            let mut message = None;
            select! {
                recv(messages) -> received => match received {
                    Ok(received) => message = Some(received),
                    Err(_) => return Ended::Suddenly,
                },
                recv(events) -> event => event.into_iter().for_each(|event| self.event(event)),
            }
            // All that has arrived is taken first: a text that is not the last one is not checked, unless
            // somebody asks about it.
            while let Some(received) = message {
                if let Some(ended) = self.message(received) {
                    return ended;
                }
                message = messages.try_recv().ok();
            }
            self.publish();
        }
    }

    fn message(&mut self, message: Message) -> Option<Ended> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == notifications::Exit::METHOD => {
                return Some(if self.is_shut_down { Ended::Properly } else { Ended::Suddenly });
            }
            Message::Notification(notification) => self.notification(notification),
            // To what this server has asked; nothing depends on it.
            Message::Response(_) => {}
        }
        None
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if self.is_shut_down {
            return self.answer(id, Err(Refusal::shut_down()));
        }
        if method == requests::ExecuteCommand::METHOD {
            if let Err(refusal) = self.execute(&id, &params) {
                self.answer(id, Err(refusal));
            }
            return;
        }
        let answer = self.ask(&method, &params);
        self.answer(id, answer);
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // There is no answer to a notification, so there is nothing to be done about one that is wrong.
        let _: Result<(), Refusal> = match method.as_str() {
            notifications::DidOpenTextDocument::METHOD => read(&params).map(|opened| self.opened(opened)),
            notifications::DidChangeTextDocument::METHOD => {
                read(&params).map(|changed| self.changed(&changed))
            }
            notifications::DidCloseTextDocument::METHOD => read(&params).map(|closed| self.closed(closed)),
            notifications::Cancel::METHOD => read(&params).map(|cancelled: CancelParams| {
                let id: RequestId = match cancelled.id {
                    NumberOrString::Number(number) => number.into(),
                    NumberOrString::String(text) => text.into(),
                };
                self.give_up(|job| job.request == id, || Refusal::cancelled("cancelled"));
            }),
            notifications::WorkDoneProgressCancel::METHOD => {
                read(&params).map(|cancelled: WorkDoneProgressCancelParams| {
                    let token = Some(cancelled.token);
                    self.give_up(|job| job.progress == token, || Refusal::cancelled("cancelled"));
                })
            }
            _ => Ok(()),
        };
    }

    fn opened(&mut self, opened: DidOpenTextDocumentParams) {
        let document = opened.text_document;
        if is_murphi(document.uri.as_str()) {
            let (uri, version) = (document.uri, Some(document.version));
            let diagnostics = vec![diagnostics::of_murphi()];
            return self.tell::<notifications::PublishDiagnostics>(PublishDiagnosticsParams {
                uri,
                diagnostics,
                version,
            });
        }
        let key = document.uri.as_str().to_owned();
        self.give_up(|job| job.uri == key, Refusal::text_changed);
        let document = Document::new(document.uri, document.version, document.text, self.client.encoding);
        self.documents.insert(key, document);
    }

    fn changed(&mut self, changed: &DidChangeTextDocumentParams) {
        let key = changed.text_document.uri.as_str();
        if let Some(document) = self.documents.get_mut(key) {
            document.edit(changed.text_document.version, &changed.content_changes);
            self.give_up(|job| job.uri == key, Refusal::text_changed);
        }
    }

    fn closed(&mut self, closed: DidCloseTextDocumentParams) {
        let uri = closed.text_document.uri;
        self.documents.remove(uri.as_str());
        self.give_up(|job| job.uri == uri.as_str(), || Refusal::cancelled("the document was closed"));
        self.tell::<notifications::PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics: Vec::new(),
            version: None,
        });
    }

    /// Tells the client what there is to say about each document, where it does not know that.
    fn publish(&mut self) {
        let mut told = Vec::new();
        for document in self.documents.values_mut().filter(|document| document.is_unpublished) {
            document.is_unpublished = false;
            let (version, findings) = (document.version, document.findings.take());
            let open = document.open();
            let mut diagnostics = diagnostics::of_checker(&open);
            let list = findings.iter().flat_map(|findings| &findings.list);
            diagnostics.extend(list.map(|finding| diagnostics::of_finding(&open, finding)));
            let uri = open.uri.clone();
            document.findings = findings;
            told.push(PublishDiagnosticsParams { uri, diagnostics, version: Some(version) });
        }
        told.into_iter().for_each(|told| self.tell::<notifications::PublishDiagnostics>(told));
    }

    pub(crate) fn answer(&mut self, id: RequestId, answer: Result<Value, Refusal>) {
        self.send(Message::Response(match answer {
            Ok(answer) => Response::new_ok(id, answer),
            Err(refusal) => Response::new_err(id, refusal.code, refusal.message),
        }));
    }

    pub(crate) fn tell<N: notifications::Notification>(&mut self, params: N::Params) {
        self.send(Message::Notification(Notification::new(N::METHOD.to_owned(), params)));
    }

    /// Asks the client for something.
    pub(crate) fn demand<R: requests::Request>(&mut self, params: R::Params) {
        self.made += 1;
        let id = RequestId::from(format!("polycube-{}", self.made));
        self.send(Message::Request(Request::new(id, R::METHOD.to_owned(), params)));
    }

    fn send(&mut self, message: Message) {
        // If the client is gone, the loop ends when it looks for the next message.
        let _ = self.sender.send(message);
    }
}

pub(crate) fn read<T: DeserializeOwned>(params: &Value) -> Result<T, Refusal> {
    T::deserialize(params).map_err(|error| Refusal::wrong_parameters(error.to_string()))
}

/// Whether a document is written in another language. It is not kept: nothing is known of it.
fn is_murphi(uri: &str) -> bool {
    uri.ends_with(".m")
}
