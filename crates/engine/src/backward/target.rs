//! Targets: what is to be shown unreachable, and what depends on it.
//!
//! The targets are the properties, in their order, and then approximations. A node that is covered or
//! replaced by nodes of other targets *depends* on these. When one of them falls, because there is a symbolic
//! run to it, the node is needed again. So wrong approximations are retracted, and nothing else with them
//! (the BRAB paper, FMCAD 2013, begins again, and names this in section IV as a possible improvement).

use std::collections::BTreeSet;
use std::ops::Index;

use polycube_certificate::Trace;
use rustc_hash::FxHashMap;

use super::guess::Guess;
use super::node::Nodes;
use crate::cube::store::{NodeId, TargetId};

/// What is to be shown unreachable. Once it has fallen, it does not stand again.
#[derive(Debug, Default)]
pub(super) struct Target {
    standing: Standing,
    approximation: Option<Approximation>,
    /// The property that it is, or because of which it was made.
    property: usize,
    /// Whether its own states, or some predecessors of its nodes, are missing. A property begins so.
    is_incomplete: bool,
    /// How many symbolic runs to it were tried.
    attempts: usize,
    /// The first node that contains initial states although no run was found.
    spurious: Option<NodeId>,
}

#[derive(Debug, Default)]
pub(super) enum Standing {
    #[default]
    Open,
    /// It was said to be unreachable.
    Trusted,
    Violated(Trace),
    /// It is an approximation, and there is a symbolic run to it.
    Refuted,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Approximation {
    /// The node with its cube.
    pub root: NodeId,
    pub guess: Guess,
}

impl Target {
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    pub fn spurious(&self) -> Option<NodeId> {
        self.spurious
    }

    /// Whether it is not decided yet: neither trusted, nor violated, nor refuted.
    pub fn is_open(&self) -> bool {
        matches!(self.standing, Standing::Open)
    }

    pub fn property(&self) -> usize {
        self.property
    }

    pub fn is_trusted(&self) -> bool {
        matches!(self.standing, Standing::Trusted)
    }

    /// Whether there is a run to it, symbolic at least, so that what leads to it is of no interest any more.
    pub fn has_fallen(&self) -> bool {
        matches!(self.standing, Standing::Violated(_) | Standing::Refuted)
    }
}

/// A node that is not needed as long as other targets stand.
#[derive(Debug)]
struct Dependency {
    node: NodeId,
    targets: Box<[TargetId]>,
}

/// All targets, and what depends on them.
///
/// Every node that was covered, deleted or replaced because of nodes of other targets depends on these
/// targets, as long as all of them stand.
#[derive(Debug)]
pub(super) struct Targets {
    targets: Vec<Target>,
    properties: usize,
    dependencies: Vec<Dependency>,
}

impl Index<TargetId> for Targets {
    type Output = Target;

    fn index(&self, id: TargetId) -> &Target {
        &self.targets[id.index()]
    }
}

impl Targets {
    pub fn new(properties: usize) -> Targets {
        let property = |property| Target { property, is_incomplete: true, ..Target::default() };
        let targets = (0..properties).map(property).collect();
        Targets { targets, properties, dependencies: Vec::new() }
    }

    pub fn properties(&self) -> &[Target] {
        &self.targets[..self.properties]
    }

    pub fn is_property(&self, id: TargetId) -> bool {
        id.index() < self.properties
    }

    /// Whether nodes of one target may cover a node of another, or of the same. While there is a symbolic run
    /// to a target, real or not, it is not known that its cubes are unreachable.
    pub fn may_cover(&self, covering: TargetId, covered: TargetId) -> bool {
        let target = &self[covering];
        !target.has_fallen() && (covering == covered || target.spurious.is_none())
    }

    pub fn approximation(&self, id: TargetId) -> Approximation {
        self[id].approximation.expect("it is an approximation")
    }

    /// The number that the next approximation gets.
    pub fn next(&self) -> TargetId {
        TargetId::new(self.targets.len())
    }

    /// Adds an approximation that is made because of a property.
    pub fn add(&mut self, approximation: Approximation, property: usize) {
        let approximation = Some(approximation);
        self.targets.push(Target { approximation, property, ..Target::default() });
    }

    /// All states of this property are in nodes now.
    pub fn set_begun(&mut self, id: TargetId) {
        self.targets[id.index()].is_incomplete = false;
    }

    /// Some predecessors of a node of this target are missing.
    pub fn set_incomplete(&mut self, id: TargetId) {
        self.targets[id.index()].is_incomplete = true;
    }

    /// For each target, those on which its nodes depend.
    pub fn needs(&self, nodes: &Nodes) -> FxHashMap<TargetId, Vec<TargetId>> {
        let mut needs: FxHashMap<TargetId, Vec<TargetId>> = FxHashMap::default();
        for Dependency { node, targets } in &self.dependencies {
            needs.entry(nodes[*node].target).or_default().extend(targets);
        }
        needs
    }

    /// The targets that have to stand so that this one does, if they do as far as is known: so if no node that leads to
    /// one of them waits, they are not reached. `waiting`: to which targets some nodes lead that wait.
    pub fn settled(
        &self,
        id: TargetId,
        needs: &FxHashMap<TargetId, Vec<TargetId>>,
        waiting: &BTreeSet<TargetId>,
    ) -> Option<BTreeSet<TargetId>> {
        let mut needed = BTreeSet::new();
        let mut next = vec![id];
        while let Some(one) = next.pop() {
            let target = &self[one];
            let stands = target.is_open() && target.spurious.is_none() && !target.is_incomplete;
            if target.is_trusted() || !needed.insert(one) {
                continue;
            }
            if !stands || waiting.contains(&one) {
                return None;
            }
            next.extend(needs.get(&one).into_iter().flatten());
        }
        Some(needed)
    }

    /// A target whose cubes are known to be unreachable.
    pub fn add_known(&mut self) -> TargetId {
        let target = self.next();
        self.targets.push(Target { standing: Standing::Trusted, ..Target::default() });
        target
    }

    pub fn decide(&mut self, id: TargetId, standing: Standing) {
        self.targets[id.index()].standing = standing;
    }

    /// One more symbolic run is tried. Returns how many there were so far.
    pub fn attempt(&mut self, id: TargetId) -> usize {
        let target = &mut self.targets[id.index()];
        target.attempts += 1;
        target.attempts
    }

    /// No run was found for this node, which contains initial states as far as cubes tell.
    pub fn set_spurious(&mut self, id: TargetId, node: NodeId) {
        self.targets[id.index()].spurious = Some(node);
    }

    /// Refutes all approximations, and drops all dependencies.
    pub fn refute_all(&mut self) {
        self.targets[self.properties..].iter_mut().for_each(|target| target.standing = Standing::Refuted);
        self.dependencies.clear();
    }

    /// A node that leads to its `own` target is not needed as long as others stand.
    pub fn depend(&mut self, node: NodeId, own: TargetId, mut targets: Vec<TargetId>) {
        targets.retain(|&target| target != own);
        targets.sort_unstable();
        targets.dedup();
        if !targets.is_empty() {
            self.dependencies.push(Dependency { node, targets: targets.into_boxed_slice() });
        }
    }

    /// Retracts a target. Returns the nodes that are needed again.
    pub fn retract(&mut self, fallen: TargetId, nodes: &Nodes) -> Vec<NodeId> {
        let (fallen, standing): (Vec<Dependency>, Vec<Dependency>) = std::mem::take(&mut self.dependencies)
            .into_iter()
            .partition(|dependency| dependency.targets.contains(&fallen));
        self.dependencies = standing;
        let needed = fallen.into_iter().map(|dependency| dependency.node);
        needed.filter(|&node| self[nodes[node].target].is_open()).collect()
    }

    pub fn bytes(&self) -> usize {
        self.dependencies.capacity() * size_of::<Dependency>()
    }
}
