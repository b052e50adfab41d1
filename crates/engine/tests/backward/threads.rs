//! The number of threads makes no difference.

use polycube_engine::backward::{Limits, Options};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_testing::generate::Random;
use polycube_testing::{Model, for_seeds, models, shared};

/// The others have their turn with other commits.
#[test]
fn the_result_of_random_models_does_not_depend_on_the_number_of_threads() {
    let mut all = models("safe");
    all.extend(models("unsafe"));
    let published: Vec<Model> = shared("corpus/cub").unwrap_or_default();
    all.extend(published);
    for_seeds!(10, |seed| {
        let model = Random::new(seed).pick(&all).clone();
        let Some(system) = polycube_language::check(&model.text).system else { return };
        for (engine, nodes) in [(Engine::Backward, 150), (Engine::Auto, 60)] {
            let result = |threads| {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let options = Options { threads, limits, graph: true, ..Options::default() };
                verify(&system, engine, &options, Plan::default(), &mut ())
            };
            let one = result(1);
            for threads in [2, 5] {
                assert_eq!(result(threads), one, "{}: {engine:?}, {threads} threads", model.name());
            }
        }
    });
}
