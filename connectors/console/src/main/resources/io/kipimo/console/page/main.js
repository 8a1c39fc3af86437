// The page: events update the model, and each frame draws the model at most once.

import { setServerTime } from "./clock.js";
import { attribute, shown, text } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { Live } from "./live.js";
import { isBelow, Model, parseRoute } from "./model.js";
import { Connection } from "./views/connection.js";
import { helpDialog } from "./views/help.js";
import { Overview } from "./views/overview.js";
import { announcement } from "./views/sentences.js";
import { ServiceView } from "./views/service.js";
import { SteerDialog } from "./views/steer.js";

/** Number of measures that are kept. */
const MEASURES_KEPT = 200;

const model = new Model();
const main = document.getElementById("main");
const connection = new Connection();
const steer = new SteerDialog();
const overview = new Overview(model);
const help = helpDialog();
let view = null;
let frame = 0;
let measures = 0;
let takenInMillis = 0;
let spoken = 0;

const live = new Live({
  onSummary(summary) {
    setServerTime(summary.nowMillis);
    const changes = model.apply(summary);
    if (changes.length > 0) announce(changes);
    draw();
  },
  onService(service) {
    if (view instanceof ServiceView) view.take(service);
    draw();
  },
  onTaken(millis) {
    takenInMillis += millis;
  },
  onState(state) {
    connection.setState(state);
  },
});

/** Draws once in the next frame, for any number of events. */
function draw() {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    const drawing = performance.now();
    connection.update(model);
    view?.update();
    showInTitle();
    measure(drawing);
  });
}

/** Cost of one update: updating the model and drawing, without the wait for the frame. */
function measure(drawing) {
  if (!model.known) return;
  if (measures === 0) performance.mark("kipimo-first-figures");
  if (++measures % MEASURES_KEPT === 0) performance.clearMeasures("kipimo-update");
  performance.measure("kipimo-update", { start: drawing, end: performance.now(), detail: { takenInMillis } });
  takenInMillis = 0;
}

function showInTitle() {
  const wrong = model.count("wrong");
  const below = [...model.entries.values()].every(({ cls }) => cls.status !== "wrong" || isBelow(cls));
  const what = view instanceof ServiceView ? view.title : "Kipimo";
  const title = wrong > 0 ? `▲ ${wrong} ${below ? "below" : "wrong"} · ${what}` : what;
  if (document.title !== title) document.title = title;
  attribute(document.getElementById("icon"), "href", wrong > 0 ? "favicon-wrong.svg" : "favicon.svg");
}

function announce(changes) {
  clearTimeout(spoken);
  const region = document.getElementById("announce");
  text(region, "");
  // Screen readers ignore a region that is emptied and filled in one step.
  spoken = setTimeout(() => text(region, announcement(changes)), 100);
}

function go() {
  const wanted = parseRoute(location.hash);
  const next = wanted === null ? overview : new ServiceView(model, wanted, steer);
  const back = next === overview && view !== null && view !== overview;
  if (next === overview && (view === null || view === overview)) overview.restore(location.hash);
  else if (next === overview) history.replaceState(null, "", overview.address);
  if (next === view) return;
  view?.leave?.();
  view = next;
  main.replaceChildren(view.node);
  live.follow(wanted?.service ?? null);
  view.update();
  showInTitle();
  if (back) overview.focusCurrent();
  else if (view !== overview) {
    scrollTo(0, 0);
    view.focus();
  }
}

listenToKeys({
  "/": () => view === overview && overview.focusFilter(),
  j: () => view === overview && overview.move(1),
  k: () => view === overview && overview.move(-1),
  ArrowDown: () => view === overview && overview.move(1),
  ArrowUp: () => view === overview && overview.move(-1),
  Escape: () => {
    if (view !== overview) location.hash = "#/";
  },
  "?": () => help.showModal(),
  o: () => {
    const entry = view === overview ? overview.current : view.entry;
    if (entry) steer.override(entry, model.writable);
  },
});
document.getElementById("help").addEventListener("click", () => help.showModal());
addEventListener("hashchange", go);
// Ages grow even without events.
setInterval(() => {
  connection.update(model);
  if (model.isOld) view?.update();
}, 1000);

/** Shows whom a proxy in front has logged in. */
async function showUser() {
  const answer = await fetch("api/user");
  const { user } = answer.ok ? await answer.json() : { user: null };
  const node = document.getElementById("user");
  shown(node, user !== null);
  text(node, user ?? "");
  steer.user = user;
}

showUser().catch(() => {}); // without an answer the token counts, as without a proxy
go();
