// The shown view. The open tab stays open across a reload, and "back" leads to the table, not away.

import { byId } from "../shell/dom.js";
import { ONLY_WATCHES } from "../people/own_rights.js";

const KEPT = "sightline-view";

export class Views {
  constructor() {
    this.listeners = new Map();
    this.tabs = [...document.querySelectorAll("[data-view]")];
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(tab.dataset.view));
    for (const link of document.querySelectorAll("[data-to-view]")) link.addEventListener("click", () => this.show(link.dataset.toView));
    /** The home view: the table, if the match has one. */
    this.home = this.tabs[0]?.dataset.view ?? "table";
    this.name = this.home;
    const isPlayed = document.body.dataset.playedOn === "drawing" && !ONLY_WATCHES && this.tabs.some((tab) => tab.dataset.view === "initiative");
    /** The first view of a device: without a camera a player's turn, since nothing happens on the drawn board. */
    this.first = isPlayed ? "initiative" : this.home;
    addEventListener("popstate", () => this.put(history.state?.view ?? this.home));
  }

  /** Call back when somebody follows a link on this page, but not on "back" and "forward". */
  onLink(tell) {
    addEventListener("hashchange", () => {
      if (history.state?.view) return;
      history.replaceState({ view: this.home }, "");
      tell();
    });
  }

  /** Call back whenever the view of that name is shown, and at once if it is. */
  on(name, tell) {
    this.listeners.set(name, tell);
    if (this.name === name) tell();
  }

  show(name, isChosen = true) {
    if (name !== this.name) history[this.name === this.home ? "pushState" : "replaceState"]({ view: name }, "");
    this.put(name, isChosen);
  }

  /** Show a view. A chosen one returns after a reload. */
  put(name, isChosen = true) {
    this.name = name;
    for (const tab of this.tabs) {
      const isThis = tab.dataset.view === name;
      byId(String(`view-${tab.dataset.view}`)).hidden = !isThis;
      if (isThis) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    if (isChosen) sessionStorage.setItem(KEPT, name);
    this.listeners.get(name)?.();
  }

  /** Show the link's view, or the one before the reload. A link to a picture opens the table. */
  restore() {
    const link = new URLSearchParams(location.hash.slice(1));
    const kept = link.get("view") ?? sessionStorage.getItem(KEPT);
    const hasLink = link.has("shot");
    const isKept = this.tabs.some((tab) => tab.dataset.view === kept);
    const wanted = hasLink ? this.home : isKept ? kept : this.first;
    if (history.state?.view !== wanted) history.replaceState({ view: this.home }, "");
    this.name = history.state.view;
    this.show(wanted, hasLink || isKept);
    // a view that is missing now, as before a match, returns after the next load
    if (kept && !hasLink) sessionStorage.setItem(KEPT, kept);
  }
}
