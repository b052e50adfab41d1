//! Which words of a text refer to which declared things.
//!
//! The checker notes it down while it resolves names, so it is there for a model with mistakes too, as far as
//! names were resolved. A thing is known by the place of its name in its declaration: predefined things have
//! none, and are not here.

use crate::signature::SymbolKind;
use crate::span::Span;

/// What the checker has noted down, in the order in which it came by. Putting it in order takes longer than
/// noting it down, and most callers of [`check`](crate::check()) do not need it.
#[derive(Clone, Debug, Default)]
pub struct UnsortedUses {
    definitions: Vec<Definition>,
    uses: Vec<Use>,
}

/// The declared things of a text, and the words that refer to them.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// In the order of the text.
    definitions: Vec<Definition>,
    /// In the order of the text, declarations included.
    uses: Vec<Use>,
}

/// A declared thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name, where it is declared.
    pub name: Span,
    /// What it is.
    pub kind: DefinitionKind,
    /// The whole declaration. That of a constructor is its type's; a local name has only its name.
    pub declaration: Span,
    /// Where a local name is visible; none for what is visible everywhere.
    pub scope: Option<Span>,
}

/// What a declared thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    /// An enumeration or an abstract type.
    Type,
    /// A value of an enumeration.
    Constructor,
    /// A constant, variable or array.
    Symbol(SymbolKind),
    /// A predicate.
    Predicate,
    /// A transition.
    Transition,
    /// A name that is visible in a part of a clause or transition only.
    Local(Binder),
}

/// What binds a local name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    /// `init (p)`
    InitParameter,
    /// `unsafe (p)`, `invariant (p)`
    PropertyParameter,
    /// `transition t (p)`
    TransitionParameter,
    /// `predicate f(x)`
    PredicateParameter,
    /// `forall p.`, `exists p.`
    Quantifier,
    /// `#{p | ...}`
    Count,
    /// `A[k] := case ...`
    UpdateIndex,
    /// `let x = ...`
    Let,
}

/// A word that refers to a declared thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The word.
    pub span: Span,
    /// The name of the thing in its declaration.
    pub definition: Span,
    /// What it does with the thing.
    pub role: Role,
}

/// What a use does with the thing that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is the name in the declaration.
    Declares,
    /// It stands on the left of `:=`.
    Updates,
    /// Anything else.
    Reads,
}

impl UnsortedUses {
    pub(crate) fn define(&mut self, definition: Definition) {
        self.definitions.push(definition);
        self.add(definition.name, definition.name, Role::Declares);
    }

    pub(crate) fn add(&mut self, span: Span, definition: Span, role: Role) {
        self.uses.push(Use { span, definition, role });
    }

    /// Sorts by place, and drops what was noted twice, with the role that says less.
    pub fn sorted(self) -> Uses {
        let UnsortedUses { mut definitions, mut uses } = self;
        definitions.sort_by_key(|definition| definition.name);
        definitions.dedup_by_key(|definition| definition.name);
        uses.sort_unstable();
        uses.dedup_by_key(|one| (one.span, one.definition));
        Uses { definitions, uses }
    }
}

impl Uses {
    /// Everything that is declared, in the order of the text.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Every word that refers to something, in the order of the text.
    pub fn all(&self) -> &[Use] {
        &self.uses
    }

    /// The word at an offset, which may also be just behind it, and the thing that it refers to. A name that
    /// a predicate takes from its callers may refer to several: this is the first.
    pub fn at(&self, offset: u32) -> Option<(Use, &Definition)> {
        let behind = self.uses.partition_point(|one| one.span.start <= offset);
        let found = self.uses[..behind].last().filter(|last| offset <= last.span.end)?;
        let first = self.uses.partition_point(|one| one.span < found.span);
        let found = self.uses[first];
        Some((found, self.definition(found.definition)?))
    }

    /// Whether a word refers to anything.
    pub fn is_resolved(&self, word: Span) -> bool {
        self.uses.binary_search_by_key(&word, |one| one.span).is_ok()
    }

    /// The thing that is declared under a name.
    pub fn definition(&self, name: Span) -> Option<&Definition> {
        let at = self.definitions.binary_search_by_key(&name, |definition| definition.name).ok()?;
        Some(&self.definitions[at])
    }

    /// The words that refer to a thing, its declaration included.
    pub fn of<'u>(&'u self, definition: &Definition) -> impl Iterator<Item = Use> + use<'u> {
        let name = definition.name;
        self.uses.iter().copied().filter(move |one| one.definition == name)
    }

    /// The words inside a stretch of the text that refer to something.
    pub fn inside(&self, span: Span) -> &[Use] {
        let first = self.uses.partition_point(|one| one.span.start < span.start);
        let last = self.uses.partition_point(|one| one.span.start < span.end);
        &self.uses[first..last.max(first)]
    }

    /// The things whose names can be used at an offset. Of local names that hide each other, all are
    /// included.
    pub fn visible_at(&self, offset: u32) -> impl Iterator<Item = &Definition> {
        let is_visible = move |scope: Span| scope.start <= offset && offset <= scope.end;
        self.definitions.iter().filter(move |definition| definition.scope.is_none_or(is_visible))
    }

    /// The type that the declaration of a symbol names, unless it is predefined; the type of a constructor.
    pub fn type_of(&self, definition: &Definition) -> Option<&Definition> {
        let mentioned = self.inside(definition.declaration).iter();
        let mut types = mentioned.filter_map(|one| self.definition(one.definition));
        types.find(|definition| definition.kind == DefinitionKind::Type)
    }

    /// The values of an enumeration.
    pub fn constructors<'u>(&'u self, ty: &Definition) -> impl Iterator<Item = &'u Definition> + use<'u> {
        let declaration = ty.declaration;
        self.definitions.iter().filter(move |definition| {
            definition.kind == DefinitionKind::Constructor && definition.declaration == declaration
        })
    }
}
