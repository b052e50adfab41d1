//! The system in which processes can crash.
//!
//! The backward search checks universal guards for the processes that a cube names only. So it works on a
//! system in which any process may crash at any time, and is not looked at any more: not by guards, and not
//! by cubes. Approximations are refuted by the runs of that system, so the oracle should know its states.

use polycube_language::System;
use polycube_language::formula::{Access, Formula, Relation, Term, Variable, VariableId};
use polycube_language::span::Origin;
use polycube_language::system::Enumeration;
use polycube_language::system::{
    Branch, EnumerationId, Init, Symbol, SymbolId, SymbolKind, Transition, Type, Update, Value,
};

use crate::symbolic::rule::has_universal;

/// A system in which processes crash, without properties, and the array that says which ones have. None if no
/// guard is universal: then it makes no difference.
pub fn with_crashes(system: &System) -> Option<(System, SymbolId)> {
    if !system.transitions.iter().any(|transition| has_universal(&transition.guard)) {
        return None;
    }
    let mut system = system.clone();
    system.properties.clear();
    let crashed = SymbolId(u32::try_from(system.symbols.len()).expect("ids of symbols have 32 bits"));
    system.symbols.push(Symbol {
        // No name of a model has a blank in it.
        name: "is crashed".to_owned(),
        kind: SymbolKind::Array { dimensions: 1 },
        ty: Type::BOOL,
        origin: Origin::default(),
    });
    let parameter = variable(0, "p");
    system.init.push(Init {
        formula: is_alive(crashed, &parameter),
        parameters: vec![parameter],
        origin: Origin::default(),
    });
    for transition in &mut system.transitions {
        let guard = std::mem::replace(&mut transition.guard, Formula::TRUE);
        let guard = guard.relativized(&|variable| is_alive(crashed, variable));
        let parameters = transition.parameters.iter().map(|parameter| is_alive(crashed, parameter));
        transition.guard = Formula::and(parameters.chain([guard]));
    }
    system.transitions.push(crash(crashed));
    Some((system, crashed))
}

fn crash(crashed: SymbolId) -> Transition {
    let (parameter, index) = (variable(0, "p"), variable(1, "k"));
    let truth = Value::Term(Term::Constructor(EnumerationId::BOOL, Enumeration::TRUE));
    let update = Update {
        symbol: crashed,
        branches: vec![Branch {
            condition: Formula::compare_processes(
                Term::Variable(index.id),
                Relation::Equal,
                Term::Variable(parameter.id),
                Origin::default(),
            ),
            value: truth,
            origin: Origin::default(),
        }],
        otherwise: Value::Term(cell(crashed, &index)),
        indices: vec![index],
        origin: Origin::default(),
    };
    Transition {
        name: "crash".to_owned(),
        guard: is_alive(crashed, &parameter),
        parameters: vec![parameter],
        updates: vec![update],
        origin: Origin::default(),
    }
}

fn is_alive(crashed: SymbolId, process: &Variable) -> Formula {
    Formula::not(Formula::is_true(cell(crashed, process), Origin::default()))
}

fn cell(array: SymbolId, index: &Variable) -> Term {
    Term::Access(Access { symbol: array, indices: vec![Term::Variable(index.id)] })
}

fn variable(id: u32, name: &str) -> Variable {
    Variable { id: VariableId(id), name: name.to_owned(), origin: Origin::default() }
}
