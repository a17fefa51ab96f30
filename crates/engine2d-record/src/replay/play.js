// Plays a recorded run: the replay page beside what draw.js draws.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const world = $("world"), plot = $("plot"), tip = $("tip");
  const { frames } = data, times = frames.map(frame => frame.t), last = times.length - 1, start = times[0], end = times[last];
  const renderer = new Renderer(world, data), { movable, slot } = renderer;
  const hits = data.marks.filter(mark => mark.hit).map(mark => [mark.t, ...mark.hit]);
  let largestHit = 0;
  for (const hit of hits) largestHit = Math.max(largestHit, hit[3]);

  // A single blow must not hide all resting forces: arrows are scaled by a high quantile of the largest ones.
  const most = frames.map(largestOf);
  const high = name => {
    const list = most.map(m => m[name]).filter(m => m > 0).sort((a, b) => a - b);
    return list.length ? list[Math.floor(0.9 * (list.length - 1))] : 0;
  };
  const force = high("force");
  renderer.scales = { force: force || 1, pull: Math.max(high("pull"), force) || 1, torque: high("torque") || 1, speed: high("speed") || 1 };

  let now = start, playing = false, before = 0, dirty = true;
  const style = name => renderer.colors[name];

  $("description").textContent = data.description;
  const left = frames.length < data.states ? [frames.length + " of " + data.states + " states kept"] : [];
  if (data.unmarked) left.push(data.unmarked + " events left out");
  $("kept").textContent = [...left, "numbers to six digits"].join(", ");
  const slider = $("time");
  slider.min = start; slider.max = end;

  function frameAt(t) {
    let low = 0, high = last;
    while (low < high) { const middle = (low + high + 1) >> 1; if (times[middle] <= t) low = middle; else high = middle - 1; }
    return low;
  }

  // The frame of a time: that before it, with the bodies between it and the next.
  function momentAt(t) {
    const k = frameAt(t), next = Math.min(k + 1, last), span = times[next] - times[k];
    const part = span > 0 ? Math.min(1, Math.max(0, (t - times[k]) / span)) : 0, a = frames[k].poses, b = frames[next].poses;
    return { ...frames[k], poses: a.map((value, i) => value + (b[i] - value) * part) };
  }

  function sized(canvas) {
    const box = canvas.parentElement.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const w = Math.max(1, Math.round(box.width * ratio)), h = Math.max(1, Math.round(box.height * ratio));
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { context, w: w / ratio, h: h / ratio };
  }

  function fit() { renderer.fit(data.view); dirty = true; }
  function zoom(factor, px, py) { renderer.zoom(factor, px, py); dirty = true; }

  const shown = ["forces", "reactions", "chains", "speeds", "hits", "names"];
  function drawWorld() {
    const options = { selected, now, largestHit };
    for (const id of shown) options[id] = $(id).checked;
    options.contacts = options.forces;
    options.hits = options.hits && hits;
    renderer.draw(momentAt(now), options);
  }

  // Events are marks above the time line; a click goes to the moment.
  const MARKS = { collision: "--kinetic", stick: "--stick", slide: "--slip", broken: "--force", user: "--accent", jam: "--force" };
  function placeMarks() {
    const box = $("marks"), width = box.clientWidth, taken = new Set();
    box.textContent = "";
    // Where many share a few pixels, what is rare is shown before collisions.
    const order = [...data.marks].sort((a, b) => (a.hit ? 1 : 0) - (b.hit ? 1 : 0));
    for (const mark of order) {
      const part = end > start ? (mark.t - start) / (end - start) : 0, place = Math.round(part * width / 4);
      if (taken.has(place)) continue;
      taken.add(place);
      const button = document.createElement("button");
      button.type = "button"; button.tabIndex = -1; button.style.left = 100 * part + "%";
      button.style.setProperty("--mark", "var(" + (MARKS[mark.kind] || "--soft") + ")");
      button.title = mark.hit ? mark.t.toFixed(4) + " s: collision, impulse " + mark.hit[2].toPrecision(3) : mark.text;
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => { setPlaying(false); seek(mark.t); });
      box.append(button);
    }
    box.hidden = data.marks.length === 0;
  }

  const MARGIN = { left: 62, right: 14, top: 22, bottom: 20 };
  const energies = [["kinetic", frames.map(f => f.kinetic), "kinetic"], ["potential", frames.map(f => f.potential), "potential"], ["total", frames.map(f => f.kinetic + f.potential), "total"]];
  // The columns of a movable body: those of trajectory.csv.
  const COLUMNS = ["x", "y", "angle", "vx", "vy", "spin"];
  const ofBody = (body, column) => {
    const n = 3 * slot.get(body) + COLUMNS.indexOf(column) % 3, list = COLUMNS.indexOf(column) < 3 ? "poses" : "rates";
    return frames.map(frame => frame[list][n]);
  };
  const JOINT_COLUMNS = ["force", "force x", "force y", "torque"];
  const ofJoint = (number, column) => frames.map(frame => {
    const joint = jointsOf(frame.machine).find(j => j.number === number);
    return !joint ? 0 : column === "force" ? Math.hypot(joint.fx, joint.fy) : column === "force x" ? joint.fx : column === "force y" ? joint.fy : joint.torque;
  });
  let series = energies, selected = -1;
  const subject = $("subject"), columns = $("column");
  const option = (list, value, text) => { const o = document.createElement("option"); o.value = value; o.textContent = text; list.appendChild(o); };
  option(subject, "energy", "energies");
  for (const body of movable) option(subject, "b" + body, data.bodies[body].name);
  const acting = new Set(frames.flatMap(frame => jointsOf(frame.machine).map(j => j.number)));
  data.joints.forEach((joint, n) => { if (acting.has(n)) option(subject, "j" + n, "joint " + joint.name); });
  function plotOf(what, column) {
    subject.value = what;
    const names = what === "energy" ? [] : what[0] === "b" ? COLUMNS : JOINT_COLUMNS;
    columns.textContent = ""; columns.style.display = names.length ? "" : "none";
    for (const name of names) option(columns, name, name);
    if (names.includes(column)) columns.value = column;
    const n = Number(what.slice(1)), chosen = columns.value;
    const title = what === "energy" ? "" : (what[0] === "b" ? data.bodies[n].name : data.joints[n].name) + " " + chosen;
    series = what === "energy" ? energies : [[title, what[0] === "b" ? ofBody(n, chosen) : ofJoint(n, chosen), "accent"]];
    plot.setAttribute("aria-label", (what === "energy" ? "Energies" : title) + " over time");
    dirty = true;
  }
  subject.addEventListener("change", () => plotOf(subject.value, columns.value));
  columns.addEventListener("change", () => plotOf(subject.value, columns.value));

  // The values of the body that was clicked; a click on one of them shows it as a graph.
  function showValues() {
    const box = $("values");
    if (selected < 0) { box.style.display = "none"; return; }
    const body = data.bodies[selected], k = frameAt(now), p = renderer.pose(momentAt(now), selected);
    const rows = [["x", p[0]], ["y", p[1]], ["angle", p[2]]];
    if (!body.fixed) {
      const n = 3 * slot.get(selected), [vx, vy, spin] = frames[k].rates.slice(n, n + 3);
      rows.push(["vx", vx], ["vy", vy], ["spin", spin], ["speed", Math.hypot(vx, vy)]);
      if (body.mass > 0) rows.push(["mass", body.mass], ["kinetic energy", 0.5 * body.mass * (vx * vx + vy * vy) + 0.5 * body.moment * spin * spin]);
    }
    box.textContent = "";
    const title = document.createElement("b"), table = document.createElement("table");
    title.textContent = body.name + (body.fixed ? " (fixed)" : "");
    for (const [name, value] of rows) {
      const row = table.insertRow();
      row.insertCell().textContent = name; row.insertCell().textContent = value.toPrecision(5);
      if (!body.fixed && COLUMNS.includes(name)) { row.dataset.column = name; row.title = "Show as graph"; row.addEventListener("pointerdown", () => plotOf("b" + selected, name)); }
    }
    box.append(title, table);
    box.style.display = "block";
  }
  function drawPlot() {
    const { context: c, w, h } = sized(plot), iw = w - MARGIN.left - MARGIN.right, ih = h - MARGIN.top - MARGIN.bottom;
    let low = Infinity, high = -Infinity;
    for (const [, values] of series) for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
    if (low > 0 && low < 1e-3 * high) low = 0;
    if (!(high > low)) { high = low + Math.max(1e-9, Math.abs(low) * 1e-3); low -= high - low; }
    const px = t => MARGIN.left + (end > start ? (t - start) / (end - start) : 0) * iw, py = v => MARGIN.top + (high - v) / (high - low) * ih;
    c.clearRect(0, 0, w, h);
    c.font = "11px system-ui, sans-serif"; c.fillStyle = style("soft"); c.strokeStyle = style("line"); c.lineWidth = 1;
    c.textBaseline = "middle"; c.textAlign = "right"; c.beginPath();
    for (let k = 0; k <= 2; k++) { const v = low + (high - low) * k / 2; c.moveTo(MARGIN.left, py(v)); c.lineTo(w - MARGIN.right, py(v)); c.fillText(v.toPrecision(4), MARGIN.left - 6, py(v)); }
    c.stroke();
    c.textAlign = "center"; c.textBaseline = "top";
    for (let k = 0; k <= 5; k++) { const t = start + (end - start) * k / 5; c.fillText(Number(t.toPrecision(4)) + " s", Math.min(w - 18, px(t)), h - 15); }
    const stride = Math.max(1, Math.floor(times.length / (2 * iw)));
    series.forEach(([name, values, color], n) => {
      c.strokeStyle = style(color); c.lineWidth = name === "total" ? 1.2 : 1.7; c.setLineDash(name === "total" ? [5, 3] : []); c.beginPath();
      for (let i = 0; i <= last; i += stride) { const x = px(times[i]), y = py(values[i]); if (i) c.lineTo(x, y); else c.moveTo(x, y); }
      c.stroke(); c.setLineDash([]);
      c.fillStyle = style(color); c.textAlign = "left"; c.textBaseline = "middle";
      const label = "— " + name + (series === energies && iw > 560 ? " energy " : " ") + values[frameAt(now)].toPrecision(iw > 560 ? 5 : 3);
      c.fillText(label, MARGIN.left + n * Math.min(190, iw / 3), 10);
    });
    c.strokeStyle = style("accent"); c.lineWidth = 1.5; c.beginPath(); c.moveTo(px(now), MARGIN.top); c.lineTo(px(now), h - MARGIN.bottom); c.stroke();
  }

  function show() {
    slider.value = now;
    $("clock").textContent = now.toFixed(3) + " / " + end.toFixed(2) + " s";
    drawWorld(); drawPlot(); showValues();
  }
  function seek(t) { now = Math.min(end, Math.max(start, t)); dirty = true; }
  function setPlaying(value) {
    playing = value; before = 0;
    $("play").textContent = playing ? "Pause" : "Play";
    if (playing && now >= end) seek(start);
  }
  function tick(stamp) {
    if (playing) {
      if (before) seek(now + Math.min(0.1, (stamp - before) / 1000) * Number($("speed").value));
      before = stamp;
      if (now >= end) setPlaying(false);
    }
    if (dirty) { dirty = false; show(); }
    requestAnimationFrame(tick);
  }
  // To the event before or after the moment.
  const moments = [...new Set(data.marks.map(mark => mark.t))].sort((a, b) => a - b), REACH = 1e-6 * (end - start);
  const toEvent = direction => {
    const found = direction > 0 ? moments.find(t => t > now + REACH) : moments.findLast(t => t < now - REACH);
    if (found !== undefined) { setPlaying(false); seek(found); }
  };
  const single = direction => { setPlaying(false); seek(times[Math.min(last, Math.max(0, frameAt(now) + direction))]); };

  $("play").addEventListener("click", () => setPlaying(!playing));
  $("back").addEventListener("click", () => single(-1));
  $("forth").addEventListener("click", () => single(1));
  slider.addEventListener("input", () => seek(Number(slider.value)));
  for (const id of shown) $(id).addEventListener("change", () => { dirty = true; });
  $("fit").addEventListener("click", fit);
  $("in").addEventListener("click", () => zoom(1.25));
  $("out").addEventListener("click", () => zoom(0.8));
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    const action = { " ": () => setPlaying(!playing), ArrowLeft: () => single(-1), ArrowRight: () => single(1), f: fit, F: fit,
      "+": () => zoom(1.25), "-": () => zoom(0.8), Home: () => seek(start), End: () => seek(end), "[": () => toEvent(-1), "]": () => toEvent(1) }[event.key];
    if (!action || (event.key === " " && event.target.tagName === "BUTTON")) return;
    event.preventDefault(); action();
  });
  world.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.0015)), event.offsetX, event.offsetY);
  }, { passive: false });

  const pointers = new Map();
  let pressed = null;
  world.addEventListener("pointerdown", event => { pressed = [event.offsetX, event.offsetY]; });
  world.addEventListener("pointerup", event => {
    const moved = pressed && Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]);
    if (pressed && moved < 4) { selected = bodyAt(event.offsetX, event.offsetY); dirty = true; }
    pressed = null;
  });
  world.addEventListener("pointerdown", event => { world.setPointerCapture(event.pointerId); pointers.set(event.pointerId, [event.offsetX, event.offsetY]); });
  // Else the browser takes a tap on a button, right after a finger that left in motion, for what stops a fling.
  world.addEventListener("touchstart", event => event.preventDefault(), { passive: false });
  const release = event => pointers.delete(event.pointerId);
  world.addEventListener("pointerup", release);
  world.addEventListener("pointercancel", release);
  world.addEventListener("pointermove", event => {
    const here = [event.offsetX, event.offsetY], from = pointers.get(event.pointerId);
    if (!from) { hover(here); return; }
    tip.style.display = "none";
    const other = [...pointers.entries()].find(([id]) => id !== event.pointerId);
    if (other) {
      const o = other[1], a = Math.hypot(from[0] - o[0], from[1] - o[1]), b = Math.hypot(here[0] - o[0], here[1] - o[1]);
      if (a > 4) zoom(b / a, (o[0] + here[0]) / 2, (o[1] + here[1]) / 2);
      renderer.pan((here[0] - from[0]) / 2, (here[1] - from[1]) / 2); dirty = true;
    } else { renderer.pan(here[0] - from[0], here[1] - from[1]); dirty = true; }
    pointers.set(event.pointerId, here);
  });
  world.addEventListener("pointerleave", () => { tip.style.display = "none"; });
  const bodyAt = (px, py) => renderer.bodyAt(momentAt(now), px, py);
  function hover([px, py]) {
    const box = world.parentElement.getBoundingClientRect(), moment = momentAt(now), contact = $("forces").checked ? renderer.contactAt(moment, px, py) : -1, found = bodyAt(px, py);
    if (contact >= 0) { tell(contactText(moment, contact), px, py, box); return; }
    if (found < 0) { tip.style.display = "none"; return; }
    const p = renderer.pose(moment, found);
    tell(data.bodies[found].name + "  (" + p[0].toFixed(3) + ", " + p[1].toFixed(3) + "), " + p[2].toFixed(3) + " rad", px, py, box);
  }
  const STATES = ["", ", sticks", ", slides"];
  const contactText = ({ contacts: f }, k) => Math.hypot(f[k + 2], f[k + 3]).toPrecision(5) + " (force)" + STATES[f[k + 4]] + ", gap " + f[k + 7].toExponential(1);
  function tell(text, px, py, box) {
    tip.textContent = text;
    tip.style.display = "block"; tip.style.left = Math.min(px + 14, box.width - tip.offsetWidth - 4) + "px"; tip.style.top = Math.max(4, py - 26) + "px";
  }

  const scrub = event => {
    const box = plot.getBoundingClientRect();
    seek(start + (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right) * (end - start));
  };
  plot.addEventListener("pointerdown", event => { plot.setPointerCapture(event.pointerId); setPlaying(false); scrub(event); });
  plot.addEventListener("pointermove", event => { if (event.buttons) scrub(event); });

  let fitted = true;
  for (const kind of ["wheel", "pointerdown"]) world.addEventListener(kind, () => { fitted = false; });
  $("fit").addEventListener("click", () => { fitted = true; });
  new ResizeObserver(() => { if (fitted) fit(); placeMarks(); dirty = true; }).observe($("stage"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { renderer.restyle(); dirty = true; });
  // The address may ask for a moment, for play, and for what is shown: replay.html#t=2.5&play&reactions&speeds&body=ball&graph=y
  const asked = new URLSearchParams(location.hash.slice(1));
  fit();
  if (asked.has("t")) seek(Number(asked.get("t")) || start);
  for (const id of ["reactions", "speeds", "chains"]) if (asked.has(id)) $(id).checked = true;
  if (asked.has("body")) selected = data.bodies.findIndex(body => body.name === asked.get("body"));
  plotOf(selected >= 0 && asked.has("graph") && !data.bodies[selected].fixed ? "b" + selected : "energy", asked.get("graph"));
  if (asked.has("play")) setPlaying(true);
  show();
  requestAnimationFrame(tick);
})();
