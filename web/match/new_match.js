// A new match: its mission, its name, the house rules. Every page shows it at once.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const VIEW = "sightline-view"; // as views.js keeps it
const PLAYS = "sightline-plays"; // the side that this device last played
const LINK = "#new-match";
const FIRST_LINK = "#first-match"; // only where no match is played
const NO_MATCH = "0";
const IS_STAGE = document.getElementById("tour") !== null; // the demo's own match is shown

export class NewMatch {
  constructor() {
    this.dialog = byId("new-match");
    this.missions = [];
    this.names = new Set();
    for (const button of document.querySelectorAll("[data-new-match]")) button.addEventListener("click", () => this.open());
    byId("new-match-cancel").addEventListener("click", () => this.dialog.close());
    byId("new-match-mission").addEventListener("change", () => this.showMission());
    this.wanted = null; // the player's choice of table; another mission does not change it
    byId("new-match-table").addEventListener("change", () => {
      this.wanted = this.playedOn();
      this.warn();
    });
    byId("new-match-form").addEventListener("submit", (event) => this.begin(event));
    const { hash } = location;
    if (hash !== LINK && hash !== FIRST_LINK) return;
    history.replaceState(null, "", location.pathname);
    if (hash === LINK || document.body.dataset.matchRun === NO_MATCH) this.open();
  }

  async open() {
    this.trouble(null);
    const parts = [byId("new-match-fields"), byId("new-match-begin")];
    for (const part of parts) part.disabled = true; // until the possible matches are known
    byId("new-match-mission").replaceChildren(el("option", {}, t("loading")));
    this.dialog.showModal();
    await this.orTrouble(async () => {
      const [{ missions }, { matches }] = await Promise.all([ask("/missions"), ask("/matches").catch(() => ({ matches: [] }))]);
      this.missions = [...missions].sort((one, other) => Number(other.is_of_game_played) - Number(one.is_of_game_played));
      this.names = new Set(matches.map(({ id }) => id));
      const games = [...new Set(this.missions.map(({ game }) => game))];
      const ofOne = (game) => this.missions.filter((one) => one.game === game);
      byId("new-match-mission").replaceChildren(...games.map((game) => el("optgroup", { label: game }, ...ofOne(game).map(missionOption))));
      this.wanted = null;
      const ofGame = this.missions.filter((one) => one.is_of_game_played);
      // nobody chose the demo's own match
      const before = IS_STAGE ? undefined : ofGame.find((one) => one.is_played && one.has_table);
      const likely = before ?? ofGame[0] ?? this.missions.find((one) => one.has_table); // the smallest comes first
      if (likely) byId("new-match-mission").value = likely.name; // the same players usually continue with the same game
      this.showMission();
      for (const part of parts) part.disabled = false;
    });
  }

  chosen() {
    return this.missions.find(({ name }) => name === byId("new-match-mission").value);
  }

  /** Show what depends on the mission: a probably free name, its table, the options of its game. */
  showMission() {
    const mission = this.chosen();
    byId("new-match-game").textContent = `${mission.game} · ${mission.about}`;
    byId("new-match-goals").replaceChildren(...mission.goals.map(({ side, text }) => el("li", {}, el("b", {}, side), ` ${text}`)));
    byId("new-match-name").value = this.freeName(mission.title);
    for (const choice of this.tables()) choice.disabled = choice.value === "drawing" && !mission.has_table;
    this.choose(this.likelyTable(mission));
    const everybody = el("option", { value: "" }, t("seat_everybody"));
    byId("new-match-plays").replaceChildren(everybody, ...mission.sides.map(({ id, name }) => el("option", { value: id }, name)));
    const before = localStorage.getItem(PLAYS) ?? "";
    byId("new-match-plays").value = mission.sides.some(({ id }) => id === before) ? before : "";
    byId("new-match-lacks").hidden = mission.has_table;
    this.warn();
    byId("new-match-first").replaceChildren(...mission.options.filter(({ suggested }) => suggested).map(optionRow));
    byId("new-match-options").replaceChildren(...grouped(mission.options.filter(({ suggested }) => !suggested)));
  }

  /** A name of mission, day and time, with a number if another match has the same. */
  freeName(title) {
    const now = new Date();
    const day = now.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short" });
    const time = [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, "0")).join(".");
    const plain = `${title.replace(/[^\p{L}\p{N} .-]/gu, "").slice(0, 38).trim()} ${day} ${time}`;
    let name = plain;
    for (let n = 2; this.names.has(name); n += 1) name = `${plain} - ${n}`;
    return name;
  }

  /** The player's choice or, without one or without a drawn board in the mission, the available table. */
  likelyTable(mission) {
    const hasCamera = document.body.dataset.hasLive === "true" || document.body.dataset.hasFree === "true";
    if (this.wanted && (this.wanted !== "drawing" || mission.has_table)) return this.wanted;
    if (IS_STAGE && mission.has_table) return "drawing"; // nobody can reach the figures of a simulated table
    return hasCamera ? "camera" : mission.has_table ? "drawing" : "nothing";
  }

  /** Warn before a mission begins that the table under the camera is not set up for it. */
  warn() {
    const isOther = this.chosen().is_other_table && this.playedOn() === "camera";
    // it keeps its space, so that nothing moves under a finger
    byId("new-match-other").toggleAttribute("data-is-off", !isOther);
  }

  /** Show the possible tables of the match. */
  tables() {
    return /** @type {HTMLInputElement[]} */ ([...byId("new-match-table").querySelectorAll("input")]);
  }

  playedOn() {
    return this.tables().find(({ checked }) => checked)?.value;
  }

  choose(playedOn) {
    for (const choice of this.tables()) choice.checked = choice.value === playedOn;
  }

  async begin(event) {
    event.preventDefault();
    const mission = this.chosen();
    const lists = [...this.dialog.querySelectorAll(".house select")];
    const changed = lists.filter((list) => list.value !== list.dataset.before).map((list) => [list.name, list.value]);
    const wanted = { name: byId("new-match-name").value.trim(), mission: mission.name, options: Object.fromEntries(changed), on_sample_table: this.playedOn() === "drawing", without_table: this.playedOn() === "nothing", plays: byId("new-match-plays").value };
    byId("new-match-begin").disabled = true;
    localStorage.setItem(PLAYS, wanted.plays);
    // Store it before the request: the news of another match reloads the page, often before the answer arrives.
    const before = sessionStorage.getItem(VIEW);
    keepView("initiative");
    const refusal = await this.orTrouble(() => send("/matches", wanted));
    byId("new-match-begin").disabled = false;
    if (!refusal) location.reload();
    // An answer cut off by the reload after the news is no refusal: the match has begun.
    else if (refusal.status >= 400) keepView(before);
  }

  /** Do the work. Returns the displayed refusal, or null. */
  async orTrouble(work) {
    try {
      await work();
      return null;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
      return problem;
    }
  }

  trouble(text) {
    byId("new-match-trouble").hidden = text === null;
    byId("new-match-trouble").textContent = text ?? "";
  }
}

function keepView(name) {
  if (name === null) sessionStorage.removeItem(VIEW);
  else sessionStorage.setItem(VIEW, name);
}

/** A mission in the list. Its size appears below once it is chosen. */
function missionOption({ name, title, has_table: hasTable }) {
  return el("option", { value: name }, hasTable ? title : t("mission_undrawn", { title }));
}

/** The house rules, each group under its title. */
function grouped(options) {
  const topics = [...new Set(options.map(({ topic }) => topic))];
  return topics.flatMap((topic) => [el("h3", {}, topic), ...options.filter((one) => one.topic === topic).map(optionRow)]);
}

function optionRow({ name, title, value, choices, suggested }) {
  const chosen = suggested || value;
  const options = choices.map((choice) => el("option", { value: choice.value, selected: choice.value === chosen }, choice.text));
  return el("label", {}, title, el("select", { name, "data-before": value }, ...options));
}
