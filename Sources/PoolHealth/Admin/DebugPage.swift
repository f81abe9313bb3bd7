/// The page at `/debug/`: one file, no outside script, style or picture. It asks `/debug/pool` and `/debug/stalls` once
/// a second and draws what it gets; all text goes in as text, never as markup.
enum DebugPage {
    static let html = Array(source.utf8)

    private static let source = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'">
        <meta name="viewport" content="width=device-width">
        <title>Pool health</title>
        <style>
        :root { color-scheme: light dark; --line: #8884; --ok: #2a9d55; --bad: #d33c3c; --warn: #d98a00; }
        body { font: 14px/1.45 system-ui, sans-serif; margin: 1.2rem auto; max-width: 70rem; padding: 0 1rem; }
        h1 { font-size: 1.2rem; margin: 0; } h2 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
        #status { color: gray; } #status.lost { color: var(--bad); font-weight: bold; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .8rem; }
        figure { margin: 0; border: 1px solid var(--line); border-radius: 4px; padding: .4rem .6rem; }
        figcaption { display: flex; justify-content: space-between; } svg { width: 100%; height: 90px; display: block; }
        .grid { stroke: var(--line); stroke-width: 1; } .grid + text, svg text { font-size: 9px; fill: gray; }
        polyline { fill: none; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2rem .5rem .2rem 0; vertical-align: top; }
        th { font-weight: 600; border-bottom: 1px solid var(--line); } td { border-bottom: 1px solid var(--line); }
        .bar { display: flex; height: 1rem; position: relative; background: #8882; min-width: 10rem; }
        .bar i { display: block; height: 100%; } .bar b { position: absolute; top: -2px; bottom: -2px; width: 2px; background: currentColor; }
        .running { background: #2a9d55; } .runnable { background: #d98a00; } .blocked { background: #d33c3c; }
        .parked { background: #8886; } .stage { background: #3b7dd8; }
        .alarm { color: var(--bad); font-weight: 600; } .risk { color: var(--warn); font-weight: 600; }
        summary { cursor: pointer; } pre { margin: .2rem 0 .4rem; font-size: 12px; white-space: pre-wrap; } .key i { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; }
        </style>
        </head>
        <body>
        <h1>Pool health</h1>
        <div id="status">waiting for the first answer</div>
        <h2>Probe latency, the last two minutes</h2>
        <div class="charts" id="charts"></div>
        <div class="key">lanes: <i style="background:#3b7dd8"></i>task <i style="background:#d98a00"></i>gcd_global
        <i style="background:#8e5bd0"></i>gcd_serial <i style="background:#2a9d9d"></i>timer</div>
        <h2>Threads against the width</h2>
        <table id="workers"></table>
        <div class="key"><i class="running"></i>running<i class="runnable"></i>runnable<i class="blocked"></i>blocked<i
          class="parked"></i>parked; the mark is the width</div>
        <h2>Requests by stage</h2>
        <table id="stages"></table>
        <h2>Stalls</h2>
        <table id="stalls"></table>
        <script>
        "use strict";
        const colors = { task: "#3b7dd8", gcd_global: "#d98a00", gcd_serial: "#8e5bd0", timer: "#2a9d9d" };
        const kept = 120, history = new Map(), opened = new Set();
        const byId = id => document.getElementById(id);
        const make = (tag, attributes = {}, ...children) => {
          const svg = ["svg", "polyline", "line", "text"].includes(tag);
          const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
          for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
          node.append(...children);
          return node;
        };
        const seconds = value => value == null ? "–" : value < 1 ? (value * 1000).toFixed(value < 0.01 ? 2 : 0) + " ms"
          : value.toFixed(2) + " s";
        // From 10 µs at the bottom to 10 s at the top, by powers of ten.
        const height = value => 88 - Math.min(1, Math.max(0, (Math.log10(Math.max(value, 1e-5)) + 5) / 6)) * 84;
        function remember(pool) {
          for (const probe of pool.probes) {
            const key = probe.priority + "/" + probe.lane;
            const values = history.get(key) ?? [];
            values.push(Math.max(probe.latency ?? 0, probe.age));
            if (values.length > kept) values.shift();
            history.set(key, values);
          }
        }
        function chart(priority, probes) {
          const svg = make("svg", { viewBox: "0 0 240 90", preserveAspectRatio: "none" });
          for (const [value, name] of [[1e-3, "1 ms"], [0.25, "250 ms"], [2, "2 s"]]) {
            svg.append(make("line", { class: "grid", x1: 0, x2: 240, y1: height(value), y2: height(value) }),
              make("text", { x: 2, y: height(value) - 2 }, name));
          }
          let worst = 0;
          for (const probe of probes) {
            const values = history.get(priority + "/" + probe.lane);
            worst = Math.max(worst, values.at(-1));
            const points = values.map((value, index) => (240 - (values.length - 1 - index) * 2) + "," + height(value));
            svg.append(make("polyline", { points: points.join(" "), stroke: colors[probe.lane] }));
          }
          const latest = make("span", worst >= 0.25 ? { class: "alarm" } : {}, seconds(worst));
          return make("figure", { "data-priority": priority }, make("figcaption", {}, make("span", {}, priority), latest), svg);
        }
        function bar(parts, scale, mark) {
          const node = make("div", { class: "bar" });
          for (const [name, count] of parts) {
            if (count > 0) node.append(make("i", { class: name, style: `width:${100 * count / scale}%`, title: `${name} ${count}` }));
          }
          if (mark != null) node.append(make("b", { style: `left:${100 * mark / scale}%` }));
          return node;
        }
        function row(tag, ...cells) { return make("tr", {}, ...cells.map(cell => make(tag, {}, cell))); }
        function state(pool) {
          if (pool.stall) {
            return make("span", { class: "alarm" }, `${pool.stall.cause} for ${seconds(pool.stall.duration)}`);
          }
          return pool.at_risk ? make("span", { class: "risk" }, "at risk") : "ok";
        }
        function drawPools(report) {
          const priorities = [...new Set(report.probes.map(probe => probe.priority))];
          byId("charts").replaceChildren(
            ...priorities.map(name => chart(name, report.probes.filter(probe => probe.priority === name))));
          const names = ["running", "runnable", "blocked", "parked"];
          const scale = Math.max(report.width * 2, ...[...report.pools, ...report.lanes].map(pool => names.reduce((sum, name) => sum + pool[name], 0)));
          const threads = (pool, width) => [bar(names.map(name => [name, pool[name]]), scale, width),
            names.filter(name => pool[name]).map(name => `${pool[name]} ${name}`).join(", ")];
          byId("workers").replaceChildren(row("th", "pool", "threads", "", "state"),
            ...report.pools.map(pool => row("td", pool.pool, ...threads(pool, report.width), state(pool))),
            ...report.lanes.map(lane => row("td", "lane " + lane.lane, ...threads(lane, null), "")));
          const stages = Object.entries(report.stages);
          const most = Math.max(8, ...stages.map(stage => stage[1]));
          byId("stages").replaceChildren(...(stages.length === 0 ? [row("td", "no register of requests")] : stages.map(
            ([name, count]) => row("td", name, bar([["stage", count]], most), String(count)))));
          const status = byId("status");
          status.className = "";
          status.textContent = `mode ${report.mode ?? "not known yet"}, width ${report.width}, CPU quota ${
            report.quota_cores == null ? "none" : report.quota_cores + " cores"}, up ${Math.round(report.uptime)} s` +
            report.explosions.map(text => "; threads multiply: " + text).join("");
        }
        function culprits(stall) {
          return make("div", {}, ...stall.culprits.map(culprit => {
            const key = stall.number + culprit.site;
            const frames = culprit.frames.map(frame => frame.function + (frame.file ? ` ${frame.file}:${frame.line}` : "") +
              `  [${frame.image}]`);
            const details = make("details", opened.has(key) ? { open: "" } : {},
              make("summary", {}, `${culprit.threads} × ${culprit.site}, ${culprit.wait ?? "unknown wait"}`),
              make("pre", {}, frames.join("\n")));
            details.addEventListener("toggle", () => details.open ? opened.add(key) : opened.delete(key));
            return details;
          }));
        }
        function drawStalls(list) {
          const rows = list.stalls.toReversed().map(stall => row("td", String(stall.number),
            new Date(stall.began * 1000).toLocaleTimeString(), stall.pool,
            make("span", stall.duration == null ? { class: "alarm" } : {}, `${stall.cause} (${Math.round(100 * stall.confidence)} %)`),
            stall.duration == null ? "lasting" : seconds(stall.duration), culprits(stall)));
          byId("stalls").replaceChildren(...(rows.length === 0 ? [row("td", "none since the start")]
            : [row("th", "#", "began", "pool", "cause", "lasted", "where"), ...rows]));
        }
        async function ask(path) {
          const answer = await fetch(path + "?format=json", { signal: AbortSignal.timeout(2000) });
          return answer.json();
        }
        async function turn() {
          try {
            const [report, stalls] = await Promise.all([ask("pool"), ask("stalls")]);
            remember(report);
            drawPools(report);
            drawStalls(stalls);
          } catch (error) {
            byId("status").className = "lost";
            byId("status").textContent = "no answer: " + error.message;
          }
          setTimeout(turn, 1000);
        }
        turn();
        </script>
        </body>
        </html>
        """#
}
