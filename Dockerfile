# Polycube with the solvers that check its certificates.
#
#   docker build -t polycube .
#   docker run --rm -v "$PWD:/models" polycube verify model.cub
#
# What is written (fmt, certify, --graph) belongs to user 1000, unless `docker run --user "$(id -u):$(id -g)"` says otherwise.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /polycube
COPY Cargo.toml Cargo.lock ./
COPY crates crates
# Members of the workspace that the program does not need; cargo wants to see their manifests.
COPY benchmarks benchmarks
COPY fuzz fuzz
RUN cargo build --profile dist --locked --package polycube

FROM debian:bookworm-slim
# Graphviz is for drawings, z3, cvc5 and Why3 are for certificates. Without all of them, verify and explore work as well.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends cvc5 graphviz why3 z3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 polycube
COPY --from=build /polycube/target/dist/polycube /usr/local/bin/polycube
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/polycube/
USER 1000:1000
WORKDIR /models
ENTRYPOINT ["polycube"]
CMD ["--help"]
