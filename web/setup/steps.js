// The content of each set-up step beside the picture.

import { byId, el } from "../shell/dom.js";
import { Rows, setText, steadily } from "../shell/steady.js";
import { number, t } from "../shell/texts.js";

const SHOWS = { camera: showCamera, sheets: showSheets, lens: showLens, table: showTable, teach: showTaught, game: showGame, save: showSave, read: showRead };

const cameraRows = new Rows(byId("camera-list"), ({ key, title }) =>
  el("label", { class: "choice" }, el("input", { type: "radio", name: "camera", value: key }), el("span", {}, title)),
);
const fileRows = new Rows(byId("files"), ({ href, title }) =>
  el("li", {}, el("a", { class: "button", href, target: "_blank", rel: "noopener" }, title)),
);
const photoRows = new Rows(byId("table-list"), ({ seen }) => el("li", {}, seen));
const keptRows = new Rows(byId("kept-list"), ({ key }) =>
  el("li", {}, el("button", { type: "button", class: "button", "data-use": key }, t("setup_use", { name: key }))),
);

/** Update the open step. */
export function showStep(now) {
  SHOWS[now.step]?.(now);
}

function showCamera(now) {
  const known = now.cameras.some((camera) => camera.name === now.source);
  const cameras = known || !now.source ? now.cameras : [...now.cameras, { name: now.source, title: now.source }];
  steadily(byId("camera-list"), () => {
    cameraRows.draw(cameras.map(({ name, title }) => ({ key: name, title })));
    for (const choice of byId("camera-list").querySelectorAll("input")) choice.checked = choice.value === now.source;
  });
}

function showSheets({ sheets }) {
  const isOff = sheets.measured_mm !== null && Math.abs(sheets.measured_mm - 100) > 0.15;
  keepValue("paper", sheets.paper);
  keepValue("measured", sheets.measured_mm ?? "");
  byId("reprinted").checked = sheets.is_reprinted;
  byId("scale-note").hidden = !isOff;
  byId("reprinted-line").hidden = !isOff;
  const made = `paper=${sheets.paper}&ruler=${sheets.measured_mm ?? 100}`;
  fileRows.show(sheets.files.map(({ name, title }) => ({ key: name, title, href: `/api/v1/wizard/sheets/${name}.pdf?${made}` })));
}

/** A field being typed in keeps its value. */
function keepValue(id, value) {
  if (document.activeElement !== byId(id)) byId(id).value = value;
}

function showLens(now) {
  const { lens } = now;
  byId("lens-live").hidden = !now.is_live;
  byId("lens-by-photos").hidden = now.is_live;
  byId("lens-meter").max = lens.wanted;
  byId("lens-meter").value = Math.min(lens.views, lens.wanted);
  setText(byId("lens-count"), t("setup_views", { views: lens.views, wanted: lens.wanted }));
  byId("lens-photos-label").hidden = now.is_live;
  byId("lens-photos-label").classList.toggle("main", !lens.is_enough);
  byId("lens-solve").hidden = lens.found !== null;
  byId("lens-solve").disabled = !lens.can_solve;
  byId("lens-solve").classList.toggle("main", lens.is_enough && !lens.found);
  byId("lens-again").disabled = lens.views === 0 && !lens.is_skipped;
  byId("lens-skip").hidden = lens.found !== null || lens.is_skipped;
  byId("lens-skipped").hidden = !lens.is_skipped;
  showResult("lens-result", lens.found, lensResult);
}

function lensResult(found) {
  const worst = Math.max(...found.views.filter((rms) => rms !== null), 0.1);
  const bars = found.views.map((rms, i) => {
    const share = rms === null ? 100 : Math.max(6, (100 * rms) / worst);
    const label = rms === null ? t("setup_dropped", { n: i + 1 }) : t("setup_view_error", { n: i + 1, px: number(rms, 2) });
    const bar = el("li", { class: rms === null ? "dropped" : "", title: label, "aria-label": label });
    bar.style.setProperty("--share", `${share}%`);
    return bar;
  });
  return [
    el("p", { class: found.is_good ? "advice" : "advice doubtful" }, found.advice),
    el("p", {}, found.error, " · ", found.focal),
    found.dropped && el("p", {}, found.dropped),
    el("ol", { class: "bars", "aria-label": t("setup_bars") }, ...bars),
  ];
}

function showTable(now) {
  const { table } = now;
  byId("table-take").hidden = !now.is_live || table.found !== null;
  byId("table-photos-label").hidden = table.found !== null;
  byId("table-photos-label").classList.toggle("main", !now.is_live && !table.can_solve);
  byId("table-solve").hidden = table.found !== null;
  byId("table-solve").disabled = !table.can_solve;
  byId("table-solve").classList.toggle("main", table.can_solve && !table.found);
  byId("table-take").classList.toggle("main", !table.can_solve);
  byId("table-again").disabled = table.photos.length === 0 && !table.is_skipped;
  const isFree = now.game.step_mm !== null;
  byId("table-skip").hidden = isFree || table.found !== null || table.is_skipped;
  byId("table-skipped").hidden = isFree || !table.is_skipped;
  photoRows.show(table.seen.map((seen, i) => ({ key: i, seen })));
  showResult("table-result", table.found, tableResult);
}

function tableResult(found) {
  return [
    el("p", { class: found.faults.length ? "advice doubtful" : "advice" }, found.advice),
    el("p", {}, found.error, " · ", t("setup_markers", { ids: found.markers.join(", ") })),
    ...found.faults.map((fault) => el("p", { class: "fault" }, fault)),
    found.guessed && el("p", { class: "note" }, found.guessed),
  ];
}

function showTaught({ game }) {
  const said = (names) => (names.length ? t("setup_taught", { names: names.join(", ") }) : "");
  setText(byId("taught-tiles"), said(game.tile_sets));
  setText(byId("taught-figures"), said(game.with_figures));
  setText(byId("taught-doors"), said(game.with_doors));
}

function showGame({ game, table }) {
  choices("tiles", game.tile_sets, game.tiles);
  choices("roster", game.rosters, game.roster);
  const isFree = game.step_mm !== null;
  byId("free").checked = isFree;
  if (isFree) keepValue("step", game.step_mm);
  byId("step-row").hidden = !isFree;
  byId("free-needs").hidden = !isFree || table.found !== null;
  byId("tiles-row").hidden = isFree;
}

function choices(id, names, chosen) {
  const list = byId(id);
  steadily(list, () => {
    changed(list, names, () => [el("option", { value: "" }, t("setup_sample")), ...names.map((name) => el("option", { value: name }, name))]);
    list.value = chosen ?? "";
  });
}

/** Refill a place only after a change of its subject. */
function changed(place, about, make) {
  const key = JSON.stringify(about);
  if (place.shownFor === key) return;
  place.shownFor = key;
  place.replaceChildren(...make());
}

function showSave(now) {
  keepValue("save-name", byId("save-name").value || (now.name ?? now.game.tiles ?? now.game.roster ?? ""));
  changed(byId("save-names"), now.names, () => now.names.map((name) => el("option", { value: name })));
  byId("kept").hidden = now.names.length === 0;
  keptRows.show(now.names.map((key) => ({ key })));
  byId("saved").hidden = now.name === null;
  setText(byId("saved"), now.name === null ? "" : t("setup_saved", { name: now.name }));
}

function showRead(now) {
  byId("print-scale").hidden = now.print_scale === null;
  setText(byId("print-scale-text"), now.print_scale ?? "");
  const isFree = now.game.step_mm !== null;
  for (const id of ["read-free", "try-free"]) byId(id).hidden = !isFree;
  byId("try-tiles").hidden = isFree;
  byId("read-now").hidden = isFree || !now.is_live;
  byId("read-photo-label").hidden = isFree || now.is_live;
}

function showResult(id, found, parts) {
  byId(id).hidden = !found;
  if (found) changed(byId(id), found, () => parts(found).filter(Boolean));
}
