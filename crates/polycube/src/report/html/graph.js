// The graph of what needs what.

/** How many arrows lead from the properties to each node, at least. */
function depthsOf(graph, count) {
  const depths = graph.nodes.map((_, at) => (at < count ? 0 : null));
  for (let depth = 0; depth < graph.nodes.length; depth += 1) {
    for (const { user, needed } of graph.arrows) {
      if (depths[user] === depth && depths[needed] === null) depths[needed] = depth + 1;
    }
  }
  return depths.map(depth => (depth === null ? 1 : depth));
}

/** Places of the nodes: rows by depth, and in each row near those that need them. */
function placesOf(graph, count) {
  const [wide, high] = [72, 84];
  const depths = depthsOf(graph, count);
  const rows = [];
  depths.forEach((depth, at) => (rows[depth] = rows[depth] || []).push(at));
  const width = Math.max(...rows.map(row => row.length)) * wide;
  const places = [];
  rows.forEach((row, depth) => {
    const wish = at => {
      const users = graph.arrows
        .filter(arrow => arrow.needed === at && depths[arrow.user] < depth)
        .map(arrow => places[arrow.user].x);
      return users.length ? users.reduce((sum, x) => sum + x, 0) / users.length : 0;
    };
    const sorted =
      depth === 0
        ? row
        : row
            .map(at => [wish(at), at])
            .sort(([left, one], [right, other]) => left - right || one - other)
            .map(([, at]) => at);
    sorted.forEach((node, at) => {
      places[node] = { x: (width - row.length * wide) / 2 + (at + 0.5) * wide, y: 26 + depth * high };
    });
  });
  return { places, width: width + 40, height: 52 + (rows.length - 1) * high };
}

/** The graph of what needs what; pointing at a node shows its arrows. */
function needsGraph(graph, count) {
  const { places, width, height } = placesOf(graph, count);
  const arrows = graph.arrows.filter(arrow => arrow.user !== arrow.needed);
  const path = ({ user, needed }) => {
    const [from, to] = [places[user], places[needed]];
    if (from.y < to.y)
      return `M${from.x} ${from.y + 15} C${from.x} ${from.y + 50} ${to.x} ${to.y - 50} ${to.x} ${to.y - 17}`;
    const side = Math.max(from.x, to.x) + (from.y === to.y ? 0 : 40);
    if (from.y === to.y)
      return `M${from.x} ${from.y + 15} C${from.x} ${from.y + 40} ${to.x} ${to.y + 40} ${to.x} ${to.y + 17}`;
    return `M${from.x + 20} ${from.y} C${side} ${from.y} ${side} ${to.y} ${to.x + 22} ${to.y}`;
  };
  const lines = arrows.map(arrow =>
    drawn(
      "path",
      { class: "arrow", d: path(arrow), "marker-end": "url(#tip)" },
      drawn(
        "title",
        {},
        `${graph.nodes[arrow.user].name} needs ${graph.nodes[arrow.needed].name}${arrow.transitions.length ? `: ${arrow.transitions.join(", ")}` : ""}`,
      ),
    ),
  );
  const point = (number, on) =>
    arrows.forEach((arrow, at) => {
      if (arrow.user === number || arrow.needed === number) lines[at].classList.toggle("on", on);
    });
  const nodes = graph.nodes.map((node, at) => {
    const { x, y } = places[at];
    const isProperty = at < count;
    const half = isProperty ? 32 : 20;
    return drawn(
      "a",
      {
        href: isProperty ? `#L${node.line}` : `#formula-${node.name}`,
        class: isProperty ? "node property" : "node",
        onmouseenter: () => point(at, true),
        onmouseleave: () => point(at, false),
        onfocus: () => point(at, true),
        onblur: () => point(at, false),
      },
      drawn("title", {}, [node.premise, ...node.conclusions].filter(Boolean).join("\n")),
      drawn("rect", { x: x - half, y: y - 15, width: 2 * half, height: 30, rx: isProperty ? 3 : 15 }),
      drawn("text", { x, y: y + 5, "text-anchor": "middle" }, isProperty ? `line ${node.line}` : node.name),
    );
  });
  return element(
    "div",
    { class: "scroll graph", tabindex: "0", role: "group", "aria-label": "What needs what" },
    drawn(
      "svg",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": "Graph of the formulas: the properties on top, arrows down to what each needs",
      },
      drawn(
        "defs",
        {},
        drawn(
          "marker",
          {
            id: "tip",
            viewBox: "0 0 8 8",
            refX: 7,
            refY: 4,
            markerWidth: 7,
            markerHeight: 7,
            orient: "auto",
          },
          drawn("path", { d: "M0 0 L8 4 L0 8 z", class: "tip" }),
        ),
      ),
      lines,
      nodes,
    ),
  );
}
