// Draws a world at a moment on a canvas: what the replay page and the lab have in common.
"use strict";

const CONTACT = 8; // numbers of a contact: x, y, force x, force y, state, body, other body, gap
const COLORS = ["page", "panel", "stage", "ink", "soft", "line", "accent", "force", "stick", "slip", "kinetic", "potential", "total", "edge",
  "reaction", "speed"];

// The colours of the page by name.
function colorsOf(element) {
  const style = getComputedStyle(element), colors = {};
  for (const name of COLORS) colors[name] = style.getPropertyValue("--" + name).trim();
  return colors;
}

// The joints of a frame: number, anchor, force, torque, segments and circles of each that acts.
function jointsOf(list) {
  const joints = [];
  for (let i = 0; i < list.length;) {
    const joint = { number: list[i], x: list[i + 1], y: list[i + 2], fx: list[i + 3], fy: list[i + 4], torque: list[i + 5], segments: [], circles: [] };
    i += 6;
    for (let n = list[i++]; n > 0; n--, i += 4) joint.segments.push(list.slice(i, i + 4));
    for (let n = list[i++]; n > 0; n--, i += 3) joint.circles.push(list.slice(i, i + 3));
    joints.push(joint);
  }
  return joints;
}

// The largest force, reaction, torque and speed of a frame.
function largestOf(frame) {
  const most = { force: 0, pull: 0, torque: 0, speed: 0 };
  const { contacts: f, pulls: p, rates: r } = frame;
  for (let k = 0; k < f.length; k += CONTACT) most.force = Math.max(most.force, Math.hypot(f[k + 2], f[k + 3]));
  for (let k = 0; k < p.length; k += 4) most.pull = Math.max(most.pull, Math.hypot(p[k + 2], p[k + 3]));
  for (let k = 0; k < r.length; k += 3) most.speed = Math.max(most.speed, Math.hypot(r[k], r[k + 1]));
  for (const joint of jointsOf(frame.machine)) {
    most.pull = Math.max(most.pull, Math.hypot(joint.fx, joint.fy));
    most.torque = Math.max(most.torque, Math.abs(joint.torque));
  }
  return most;
}

class Renderer {
  constructor(canvas, model) {
    this.canvas = canvas; this.c = canvas.getContext("2d");
    this.camera = { x: 0, y: 0, scale: 1 };
    this.scales = { force: 1, pull: 1, torque: 1, speed: 1 };
    this.w = this.h = 1;
    this.setModel(model);
    this.restyle();
  }

  setModel(model) {
    this.model = model;
    this.movable = model.bodies.map((body, i) => i).filter(i => !model.bodies[i].fixed);
    this.slot = new Map(this.movable.map((body, k) => [body, k]));
    this.reach = model.bodies.map(body => Math.max(0, ...body.paths.map(path => path.reduce((most, v) => Math.max(most, Math.abs(v)), 0))));
  }

  restyle() { this.colors = colorsOf(document.documentElement); }

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const w = Math.max(1, Math.round(box.width * ratio)), h = Math.max(1, Math.round(box.height * ratio));
    if (this.canvas.width !== w || this.canvas.height !== h) { this.canvas.width = w; this.canvas.height = h; }
    this.ratio = ratio; this.w = w / ratio; this.h = h / ratio;
  }

  fit([left, bottom, right, top]) {
    this.resize();
    this.camera.scale = Math.min(this.w / (right - left), this.h / (top - bottom));
    this.camera.x = (left + right) / 2; this.camera.y = (bottom + top) / 2;
  }

  toScreen(x, y) { return [this.w / 2 + (x - this.camera.x) * this.camera.scale, this.h / 2 - (y - this.camera.y) * this.camera.scale]; }
  toWorld(px, py) { return [this.camera.x + (px - this.w / 2) / this.camera.scale, this.camera.y - (py - this.h / 2) / this.camera.scale]; }

  zoom(factor, px = this.w / 2, py = this.h / 2) {
    const [x, y] = this.toWorld(px, py);
    this.camera.scale = Math.min(1e7, Math.max(1e-4, this.camera.scale * factor));
    const [x2, y2] = this.toWorld(px, py);
    this.camera.x += x - x2; this.camera.y += y - y2;
  }

  pan(dx, dy) { this.camera.x -= dx / this.camera.scale; this.camera.y += dy / this.camera.scale; }

  // The pose of a body in a frame: x, y, angle.
  pose(frame, body) {
    const k = this.slot.get(body);
    return k === undefined ? this.model.bodies[body].pose : [frame.poses[3 * k], frame.poses[3 * k + 1], frame.poses[3 * k + 2]];
  }

  trace(body, pose) {
    const { c } = this, cos = Math.cos(pose[2]), sin = Math.sin(pose[2]);
    c.beginPath();
    for (const path of this.model.bodies[body].paths) {
      for (let k = 0; k < path.length; k += 2) {
        const [x, y] = this.toScreen(pose[0] + path[k] * cos - path[k + 1] * sin, pose[1] + path[k] * sin + path[k + 1] * cos);
        if (k) c.lineTo(x, y); else c.moveTo(x, y);
      }
      c.closePath();
    }
  }

  // Whether a place of the picture is within a body.
  hits(frame, body, px, py) {
    this.trace(body, this.pose(frame, body));
    return this.c.isPointInPath(px * this.ratio, py * this.ratio, "evenodd");
  }

  // The body at a place of the picture, the uppermost one; −1 if there is none.
  bodyAt(frame, px, py) {
    for (let i = this.model.bodies.length - 1; i >= 0; i--) if (this.hits(frame, i, px, py)) return i;
    return -1;
  }

  // The contact nearest to a place of the picture within a few pixels, as its place in the list; −1 if there is none.
  contactAt(frame, px, py, within = 12) {
    let found = -1, nearest = within;
    for (let f = frame.contacts, k = 0; k < f.length; k += CONTACT) {
      const [x, y] = this.toScreen(f[k], f[k + 1]), away = Math.hypot(x - px, y - py);
      if (away < nearest) { nearest = away; found = k; }
    }
    return found;
  }

  grid() {
    const { c, w, h, camera } = this;
    const rough = 90 / camera.scale, power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough) || 10 * power;
    c.strokeStyle = this.colors.line; c.lineWidth = 0.6; c.globalAlpha = 0.6; c.beginPath();
    const [left, top] = this.toWorld(0, 0), [right, bottom] = this.toWorld(w, h);
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) { const [px] = this.toScreen(x, 0); c.moveTo(px, 0); c.lineTo(px, h); }
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) { const [, py] = this.toScreen(0, y); c.moveTo(0, py); c.lineTo(w, py); }
    c.stroke(); c.globalAlpha = 1;
    c.fillStyle = this.colors.soft; c.font = "11px system-ui, sans-serif"; c.textAlign = "left"; c.textBaseline = "alphabetic";
    const length = step * camera.scale;
    c.strokeStyle = this.colors.soft; c.lineWidth = 1.5; c.beginPath();
    c.moveTo(12, h - 18); c.lineTo(12, h - 12); c.lineTo(12 + length, h - 12); c.lineTo(12 + length, h - 18); c.stroke();
    c.fillText(String(Number(step.toPrecision(3))), 16, h - 17);
  }

  endOf([body, x, y], frame) {
    if (body < 0) return [x, y];
    const p = this.pose(frame, body), cos = Math.cos(p[2]), sin = Math.sin(p[2]);
    return [p[0] + x * cos - y * sin, p[1] + x * sin + y * cos];
  }

  drawTie(tie, frame) {
    const { c } = this, [a, b] = tie.ends.map(end => this.toScreen(...this.endOf(end, frame)));
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    c.strokeStyle = this.colors.ink; c.lineWidth = tie.kind === "rod" ? 3 : 1.5; c.beginPath();
    if (tie.kind === "pin") {
      c.arc(a[0], a[1], 3.5, 0, 2 * Math.PI); c.fillStyle = this.colors.panel; c.fill(); c.stroke();
      return;
    }
    c.moveTo(a[0], a[1]);
    if (tie.kind === "rope") {
      const taut = tie.length * this.camera.scale, slack = Math.max(0, taut - length), sag = Math.sqrt(0.375 * slack * (taut + slack));
      for (let k = 1; k <= 16; k++) { const t = k / 16; c.lineTo(a[0] + dx * t, a[1] + dy * t + 4 * sag * t * (1 - t)); }
    } else if (tie.kind === "spring") {
      const nx = length > 0 ? -dy / length : 0, ny = length > 0 ? dx / length : 0;
      this.zigzag(a, b, nx, ny, tie.length * this.camera.scale || length);
    } else c.lineTo(b[0], b[1]);
    c.stroke();
  }

  // The coils of a spring are as wide as a part of its relaxed length, so that it looks the same at every zoom.
  zigzag(a, b, nx, ny, relaxed) {
    const dx = b[0] - a[0], dy = b[1] - a[1], wide = Math.min(0.09 * relaxed, 24);
    for (let k = 1; k < 12; k++) { const s = k % 2 ? wide : -wide, t = k / 12; this.c.lineTo(a[0] + dx * t + nx * s, a[1] + dy * t + ny * s); }
    this.c.lineTo(b[0], b[1]);
  }

  // How far an arrow from (x, y) along (ux, uy) can go within the picture.
  room(x, y, ux, uy) {
    const edge = 6, along = (at, u, high) => u > 0 ? (high - edge - at) / u : u < 0 ? (edge - at) / u : Infinity;
    return Math.max(0, Math.min(along(x, ux, this.w), along(y, uy, this.h)));
  }

  // An arrow that would leave the picture ends at its edge, with two strokes across that say so.
  arrow(x, y, fx, fy, scale) {
    const { c, w, h } = this, longest = Math.min(90, 0.13 * h);
    const size = Math.hypot(fx, fy), full = longest * Math.min(1.5, size / scale), ux = fx / size, uy = -fy / size;
    if (!(full > 1.5) || x < 0 || y < 0 || x > w || y > h) return;
    const shown = Math.min(full, this.room(x, y, ux, uy));
    if (shown < full - 0.5) {
      c.beginPath();
      for (const at of [0.4 * shown, 0.4 * shown + 4]) {
        const px = x + ux * at, py = y + uy * at;
        c.moveTo(px - uy * 4 - ux, py + ux * 4 - uy); c.lineTo(px + uy * 4 + ux, py - ux * 4 + uy);
      }
      c.stroke();
    }
    if (!(shown > 1.5)) return;
    const tx = x + ux * shown, ty = y + uy * shown, head = Math.min(9, Math.max(4, 0.35 * shown));
    c.beginPath(); c.moveTo(x, y); c.lineTo(tx - ux * head * 0.7, ty - uy * head * 0.7); c.stroke();
    c.beginPath(); c.moveTo(tx, ty); c.lineTo(tx - ux * head - uy * head * 0.45, ty - uy * head + ux * head * 0.45);
    c.lineTo(tx - ux * head + uy * head * 0.45, ty - uy * head - ux * head * 0.45); c.closePath(); c.fill();
  }

  // A torque is an arc about its anchor, as long as it is large, with a head in its direction.
  twist(x, y, torque) {
    const { c } = this, part = Math.min(1, Math.abs(torque) / this.scales.torque), r = 13, turn = part * 5.2 * Math.sign(torque), from = -Math.PI / 2;
    if (!(Math.abs(turn) > 0.15)) return;
    const end = from - turn;
    c.beginPath(); c.arc(x, y, r, from, end, turn > 0); c.stroke();
    const ex = x + r * Math.cos(end), ey = y + r * Math.sin(end), s = Math.sign(turn), tx = Math.sin(end) * s, ty = -Math.cos(end) * s;
    c.beginPath(); c.moveTo(ex + tx * 6, ey + ty * 6); c.lineTo(ex + Math.cos(end) * 4, ey + Math.sin(end) * 4);
    c.lineTo(ex - Math.cos(end) * 4, ey - Math.sin(end) * 4); c.closePath(); c.fill();
  }

  drawJoint(joint) {
    const { c } = this, { sort } = this.model.joints[joint.number], at = this.toScreen(joint.x, joint.y);
    c.strokeStyle = this.colors.ink; c.fillStyle = this.colors.panel; c.lineWidth = 1.5;
    for (const [x1, y1, x2, y2] of joint.segments) {
      const a = this.toScreen(x1, y1), b = this.toScreen(x2, y2), length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      c.beginPath(); c.moveTo(a[0], a[1]);
      if (sort === "spring" && length > 1) this.zigzag(a, b, (a[1] - b[1]) / length, (b[0] - a[0]) / length, length);
      else c.lineTo(b[0], b[1]);
      c.stroke();
    }
    for (const [x, y, radius] of joint.circles) {
      const p = this.toScreen(x, y);
      c.beginPath();
      if (radius > 0) { c.setLineDash([4, 4]); c.arc(p[0], p[1], radius * this.camera.scale, 0, 2 * Math.PI); c.stroke(); c.setLineDash([]); }
      else { c.arc(p[0], p[1], 3, 0, 2 * Math.PI); c.fill(); c.stroke(); }
    }
    if (sort === "motor") {
      c.strokeStyle = c.fillStyle = this.colors.accent; c.lineWidth = 2;
      c.beginPath(); c.arc(at[0], at[1], 7, 0.4, 2 * Math.PI - 0.4); c.stroke();
      c.beginPath(); c.arc(at[0], at[1], 2.2, 0, 2 * Math.PI); c.fill();
    }
  }

  drawReactions(frame) {
    const { c } = this;
    c.strokeStyle = c.fillStyle = this.colors.reaction; c.lineWidth = 1.8;
    for (const joint of jointsOf(frame.machine)) {
      const at = this.toScreen(joint.x, joint.y);
      this.arrow(at[0], at[1], joint.fx, joint.fy, this.scales.pull);
      this.twist(at[0], at[1], joint.torque);
    }
    for (let p = frame.pulls, i = 0; i < p.length; i += 4) this.arrow(...this.toScreen(p[i], p[i + 1]), p[i + 2], p[i + 3], this.scales.pull);
  }

  drawForces(frame, options) {
    const { c } = this, shade = [this.colors.force, this.colors.stick, this.colors.slip];
    for (let f = frame.contacts, k = 0; k < f.length; k += CONTACT) {
      const at = this.toScreen(f[k], f[k + 1]);
      c.strokeStyle = c.fillStyle = shade[f[k + 4]] || this.colors.force; c.lineWidth = 1.8;
      if (options.forces) for (const s of [1, -1]) this.arrow(...at, s * f[k + 2], s * f[k + 3], this.scales.force);
      if (options.contacts) { c.beginPath(); c.arc(at[0], at[1], 3.2, 0, 2 * Math.PI); c.fill(); c.strokeStyle = this.colors.panel; c.lineWidth = 1; c.stroke(); }
    }
  }

  // Force chains: lines from body to body through the contact, as wide as the force is large.
  drawChains(frame) {
    const { c } = this;
    c.strokeStyle = this.colors.force; c.globalAlpha = 0.5; c.lineCap = "round";
    for (let f = frame.contacts, k = 0; k < f.length; k += CONTACT) {
      c.lineWidth = Math.min(22, 14 * Math.hypot(f[k + 2], f[k + 3]) / this.scales.force);
      if (c.lineWidth < 0.3) continue;
      const at = this.toScreen(f[k], f[k + 1]);
      for (const body of [f[k + 5], f[k + 6]]) {
        if (body < 0 || this.model.bodies[body].fixed) continue;
        const p = this.pose(frame, body);
        c.beginPath(); c.moveTo(...at); c.lineTo(...this.toScreen(p[0], p[1])); c.stroke();
      }
    }
    c.globalAlpha = 1; c.lineCap = "butt";
  }

  drawBody(i, frame, options) {
    const { c } = this, body = this.model.bodies[i], pose = this.pose(frame, i);
    this.trace(i, pose);
    c.globalAlpha = body.sensor ? 0.15 : body.fixed ? 0.45 : 0.88;
    c.fillStyle = options.tint ? options.tint(i) || body.color : body.color; c.fill("evenodd"); c.globalAlpha = 1;
    if (body.sensor) c.setLineDash([5, 4]);
    c.strokeStyle = i === options.selected ? this.colors.accent : this.colors.edge; c.lineWidth = i === options.selected ? 3 : 1.2;
    c.stroke(); c.setLineDash([]); c.strokeStyle = this.colors.edge; c.lineWidth = 1.2;
    const [x, y] = this.toScreen(pose[0], pose[1]);
    if (body.round && !body.fixed) {
      const reach = this.reach[i] * 0.55 * this.camera.scale;
      c.beginPath(); c.moveTo(x, y); c.lineTo(x + Math.cos(pose[2]) * reach, y - Math.sin(pose[2]) * reach); c.stroke();
    }
    if (options.centres && !body.fixed) {
      c.beginPath(); c.arc(x, y, 4.5, 0, 2 * Math.PI); c.fillStyle = this.colors.panel; c.fill(); c.stroke();
      c.fillStyle = this.colors.edge;
      for (const from of [0, Math.PI]) { c.beginPath(); c.moveTo(x, y); c.arc(x, y, 4.5, from, from + Math.PI / 2); c.closePath(); c.fill(); }
    }
  }

  // Draws a frame. Options: forces, contacts, reactions, chains, speeds, centres, names, selected, tint, hits (of a time), largestHit.
  draw(frame, options) {
    this.resize();
    const { c, model } = this;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.w, this.h);
    this.grid();
    for (const curve of model.curves) {
      c.strokeStyle = this.colors.soft; c.lineWidth = 2; c.beginPath();
      for (let i = 0; i < curve.length; i += 2) { const [x, y] = this.toScreen(curve[i], curve[i + 1]); if (i) c.lineTo(x, y); else c.moveTo(x, y); }
      c.stroke();
    }
    c.lineJoin = "round";
    model.bodies.forEach((body, i) => this.drawBody(i, frame, options));
    for (const tie of model.ties) this.drawTie(tie, frame);
    for (const joint of jointsOf(frame.machine)) this.drawJoint(joint);
    if (options.chains) this.drawChains(frame);
    this.drawForces(frame, options);
    if (options.reactions) this.drawReactions(frame);
    if (options.speeds) {
      c.strokeStyle = c.fillStyle = this.colors.speed; c.lineWidth = 1.8;
      this.movable.forEach((body, n) => {
        const p = this.pose(frame, body), r = frame.rates;
        this.arrow(...this.toScreen(p[0], p[1]), r[3 * n], r[3 * n + 1], this.scales.speed);
      });
    }
    c.strokeStyle = this.colors.soft; c.lineWidth = 1.4;
    for (let s = frame.circles || [], i = 0; i < s.length; i += 3) {
      c.beginPath(); c.arc(...this.toScreen(s[i], s[i + 1]), s[i + 2] * this.camera.scale, 0, 2 * Math.PI); c.stroke();
    }
    for (let s = frame.lines || [], i = 0; i < s.length; i += 4) {
      c.beginPath(); c.moveTo(...this.toScreen(s[i], s[i + 1])); c.lineTo(...this.toScreen(s[i + 2], s[i + 3])); c.stroke();
    }
    if (options.hits) this.drawHits(options.hits, options.now, options.largestHit);
    if (options.names) {
      c.font = "12px system-ui, sans-serif"; c.textAlign = "center"; c.textBaseline = "middle";
      c.lineWidth = 3; c.strokeStyle = this.colors.panel; c.fillStyle = this.colors.ink;
      model.bodies.forEach((body, i) => { const p = this.pose(frame, i), [x, y] = this.toScreen(p[0], p[1]); c.strokeText(body.name, x, y); c.fillText(body.name, x, y); });
    }
  }

  // Collisions just past, each [time, x, y, impulse], as rings that grow and fade.
  drawHits(hits, now, largest) {
    const { c } = this, SECONDS = 0.25;
    c.strokeStyle = this.colors.kinetic; c.lineWidth = 2;
    for (const [t, x, y, impulse] of hits) {
      const age = (now - t) / SECONDS;
      if (age < 0 || age > 1 || !(largest > 0)) continue;
      const size = 4 + 16 * Math.sqrt(impulse / largest);
      c.globalAlpha = 1 - age; c.beginPath(); c.arc(...this.toScreen(x, y), size * (0.4 + 0.6 * age), 0, 2 * Math.PI); c.stroke();
    }
    c.globalAlpha = 1;
  }
}

export { CONTACT, Renderer, colorsOf, jointsOf, largestOf };
