//! An exploration that several processes share: who they are, and how they come together.

use std::env;
use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use polycube_cluster::{
    Cluster, Dataflow, Event, Failure, Hosts, Introduction, JoinError, Lifeline, Model as ModelText,
    Patience, Place, Secret, local, remote,
};
use polycube_engine::forward::{Observer, Progress};

use crate::arguments::{CompanyArguments, ExploreArguments, Launch};
use crate::command::progress::ProgressLine;
use crate::command::stop::{Cause, Handle, Stop};
use crate::input::{Impossible, Input};

use super::describe;

/// Which process this is to be.
pub(super) enum Role {
    /// The only one.
    Alone,
    /// The first of so many on this machine, which starts the others.
    Parent(usize),
    /// One that another process has started, and told who belongs together.
    Member(Place),
    /// One of a list.
    Listed(Place, Option<Launch>),
}

/// How long a process may take to end after the others.
const PARTING: Duration = Duration::from_secs(10);

/// Variables in which programs that start many processes tell each which one it is: Slurm, and indexed jobs of Kubernetes.
const INDEX: [&str; 2] = ["SLURM_PROCID", "JOB_COMPLETION_INDEX"];

impl Role {
    pub(super) fn new(arguments: &CompanyArguments) -> Result<Role, Impossible> {
        if let Some(sharing) = arguments.member {
            let input = &mut BufReader::new(io::stdin());
            let place = match sharing {
                0 => remote::receive(input),
                _ => local::receive(input, &mut io::stdout()),
            };
            return Ok(Role::Member(place.map_err(Impossible::new)?));
        }
        match (&arguments.local, &arguments.hosts) {
            (None | Some(1), None) => Ok(Role::Alone),
            (Some(count), _) => Ok(Role::Parent(*count)),
            (None, Some(file)) => {
                let hosts = read_hosts(file)?;
                let index = match (arguments.process, arguments.launch) {
                    (_, Some(_)) => 0,
                    (Some(index), None) => index,
                    (None, None) => index_from_environment()?,
                };
                if index >= hosts.count() {
                    let (count, last) = (hosts.count(), hosts.count() - 1);
                    let reason = format!("there is no process {index}: {} lists {count}", file.display());
                    return Err(Impossible::new(reason).or(format!("they are counted from 0 to {last}")));
                }
                let secret = match &arguments.secret_file {
                    Some(file) => Secret::read(file).map_err(Impossible::new)?,
                    None => secret_of_this_machine(&hosts)?,
                };
                Ok(Role::Listed(Place { hosts, index, secret, listener: None }, arguments.launch))
            }
        }
    }

    /// Whether this process reads the model, and reports.
    pub(super) fn is_first(&self) -> bool {
        match self {
            Role::Alone | Role::Parent(_) => true,
            Role::Member(place) | Role::Listed(place, _) => place.index == 0,
        }
    }

    /// How many processes share this machine, as far as is known.
    pub(super) fn on_this_machine(&self, arguments: &CompanyArguments) -> usize {
        match self {
            Role::Parent(count) => *count,
            Role::Member(_) => arguments.member.unwrap_or(1).max(1),
            Role::Alone | Role::Listed(..) => 1,
        }
    }

    /// What this process knows of the model without the others. One that was started by another has it from there.
    pub(super) fn own_input(&self, file: &Path) -> Option<Input> {
        match self {
            Role::Listed(..) if file.as_os_str() != "-" => crate::input::read(file).ok(),
            _ => None,
        }
    }
}

fn read_hosts(file: &Path) -> Result<Hosts, Impossible> {
    let text = fs::read_to_string(file).map_err(|error| {
        let reason = crate::input::describe(&error);
        Impossible::new(format!("`{}` cannot be read: {reason}", file.display()))
    })?;
    Hosts::parse(&text).map_err(|mistake| {
        Impossible::new(format!("{}: {mistake}", file.display())).or("one HOST:PORT per line, `#` comments")
    })
}

fn index_from_environment() -> Result<usize, Impossible> {
    for name in INDEX {
        if let Ok(text) = env::var(name) {
            let index = text.parse().map_err(|_| {
                Impossible::new(format!("the variable {name} is `{text}`, and not the number of a process"))
            })?;
            return Ok(index);
        }
    }
    let help = "say --process K on host K, or --launch ssh on the first one";
    Err(Impossible::new("which of the hosts is this?").or(help))
}

/// On one machine no secret is needed: whoever can connect can also see the files.
fn secret_of_this_machine(hosts: &Hosts) -> Result<Secret, Impossible> {
    let is_here = |process: usize| {
        let address = hosts.address(process);
        ["127.", "localhost:", "[::1]:"].iter().any(|here| address.starts_with(here))
    };
    if (0..hosts.count()).all(is_here) {
        return Secret::new(b"everybody on this machine is welcome").map_err(Impossible::new);
    }
    let help = "write one with `head -c 32 /dev/urandom | base64 > secret`, and copy it to all hosts";
    Err(Impossible::new("on several machines, a secret is needed (--secret-file)").or(help))
}

/// One of several processes.
pub(super) struct Member {
    pub(super) cluster: Cluster,
    pub(super) dataflow: Dataflow,
    children: Option<local::Children>,
}

/// Why there is no cluster.
pub(super) enum Apart {
    Impossible(Impossible),
    /// It was given up, or another process was lost already.
    Ended(String),
}

impl Member {
    /// Comes together with the others. None if there are no others.
    pub(super) fn join(
        role: Role,
        arguments: &ExploreArguments,
        model: Option<&Input>,
        stop: &Stop,
    ) -> Result<Option<Member>, Apart> {
        let patience = Patience { start: arguments.company.wait, ..Patience::default() };
        let interrupted = || stop.is_set().then(|| stop.describe());
        let (place, children) = match role {
            Role::Alone => return Ok(None),
            Role::Member(place) | Role::Listed(place, None) => (place, None),
            Role::Listed(place, Some(Launch::Ssh)) => {
                let children = remote::start(&place, ssh)?;
                (place, Some(children))
            }
            Role::Parent(count) => {
                let command = command()?;
                let (place, children) =
                    local::start(count, |_| command(count), patience.start, &interrupted)?;
                (place, Some(children))
            }
        };
        let index = place.index;
        let introduction = Introduction {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: super::settings::of(arguments),
            model: model.map(|input| ModelText { name: input.name.clone(), text: input.text.clone() }),
        };
        let handle = stop.handle();
        let told = handle.clone();
        let tell = move |event| match event {
            Event::Failed(_) => told.set(Cause::Peer),
            Event::Stop { cause, .. } => told.set(cause_of(cause)),
        };
        let give_up = || interrupted().or_else(|| children.as_ref().and_then(local::Children::failed));
        let mut cluster = Cluster::join(place, introduction, &patience, &give_up, tell)?;
        if arguments.company.member.is_some() {
            let orphaned = handle.clone();
            let watched = local::watch_parent(io::stdin(), move || orphaned.set(Cause::Peer));
            watched.map_err(|error| Apart::Impossible(Impossible::new(error.to_string())))?;
        }
        let mut dataflow = cluster
            .dataflow()
            .map_err(|error| Apart::Impossible(Impossible::new(format!("process {index}: {error}"))))?;
        dataflow.stops_because_of(move || code(&handle));
        Ok(Some(Member { cluster, dataflow, children }))
    }

    /// Which process this is, and how many there are.
    pub(super) fn share(&self) -> (usize, usize) {
        let lifeline = self.cluster.lifeline();
        (lifeline.index(), lifeline.hosts().count())
    }

    /// The model that all work on.
    pub(super) fn input(&self) -> Input {
        let model = self.cluster.model();
        let path = (model.name != "<stdin>").then(|| PathBuf::from(&model.name));
        Input { name: model.name.clone(), path, text: model.text.clone(), not_text: None }
    }

    /// The end, after the work or without: which process was lost, if one was.
    pub(super) fn leave(self) -> Option<Failure> {
        let failure = match self.cluster.lifeline().failure().cloned() {
            Some(failure) => Some(failure),
            None => self.cluster.leave(self.dataflow, PARTING).err().flatten(),
        };
        if let (Some(children), None) = (self.children, &failure) {
            children.finish(PARTING);
        }
        failure
    }
}

impl From<JoinError> for Apart {
    fn from(error: JoinError) -> Apart {
        match error {
            JoinError::Lost(_) | JoinError::Interrupted(_) => Apart::Ended(error.to_string()),
            error => Apart::Impossible(Impossible::new(error.to_string())),
        }
    }
}

impl From<Impossible> for Apart {
    fn from(impossible: Impossible) -> Apart {
        Apart::Impossible(impossible)
    }
}

/// The command that starts a process like this one.
fn command() -> Result<impl Fn(usize) -> Command, Impossible> {
    let program = env::current_exe()
        .map_err(|error| Impossible::new(format!("this program does not know where it is: {error}")))?;
    Ok(move |count: usize| {
        let mut command = Command::new(&program);
        command.args(arguments_for_members(env::args_os().skip(1).collect(), count));
        command
    })
}

/// The command that starts one on another machine, where the program has the same name.
fn ssh(host: &str) -> Command {
    let mut command = Command::new("ssh");
    command.args(["-o", "BatchMode=yes", host, "polycube"]);
    for argument in arguments_for_members(env::args_os().skip(1).collect(), 0) {
        command.arg(quoted(&argument.to_string_lossy()));
    }
    command
}

/// What stands for itself in a shell of another machine.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The arguments of this process, for one that is told its place.
fn arguments_for_members(own: Vec<std::ffi::OsString>, count: usize) -> Vec<std::ffi::OsString> {
    let mut members = Vec::new();
    let mut own = own.into_iter();
    while let Some(argument) = own.next() {
        let text = argument.to_string_lossy();
        let names = ["--local", "--hosts", "--secret-file", "--launch"];
        if names.contains(&&*text) {
            own.next();
        } else if !names.iter().any(|name| text.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
        {
            members.push(argument);
        }
    }
    members.push(format!("--member={count}").into());
    members
}

/// How a reason to stop is told to other processes.
fn code(handle: &Handle) -> u32 {
    match handle.reason() {
        Cause::User | Cause::Peer => 0,
        Cause::Timeout => 1,
        Cause::Memory => 2,
    }
}

fn cause_of(code: u32) -> Cause {
    match code {
        1 => Cause::Timeout,
        2 => Cause::Memory,
        _ => Cause::User,
    }
}

/// Tells the others how far this process has come; the first one shows how far all have.
pub(super) struct Watching<'l, 'c> {
    pub(super) lifeline: &'l Lifeline,
    pub(super) line: Option<ProgressLine<'c>>,
}

impl Observer for Watching<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        let Progress { states, queue, transitions, depth, bytes } = *progress;
        let counters = self.lifeline.counters();
        let numbers = [states, queue, transitions, depth as u64, bytes as u64];
        numbers.into_iter().enumerate().for_each(|(at, number)| counters.set(at, number));
        if let Some(line) = &mut self.line {
            let all = self.lifeline.all_counters();
            let sum = |at: usize| all.iter().map(|numbers| numbers[at]).sum::<u64>();
            line.show(|seconds| {
                let bytes = usize::try_from(sum(4)).unwrap_or(usize::MAX);
                let together = Progress { states: sum(0), queue: sum(1), transitions: sum(2), depth, bytes };
                format!("{} processes: {}", all.len(), describe(&together, seconds))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_arguments_of_the_first_process() {
        let own = ["explore", "a.cub", "--local", "3", "-n", "4", "--hosts=h", "--launch", "ssh", "--locale"];
        let members = arguments_for_members(own.map(Into::into).to_vec(), 3);
        assert_eq!(members, ["explore", "a.cub", "-n", "4", "--locale", "--member=3"]);
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
