// Import of a list: show its changes first, then apply them at a tap.

import { Refused, sendBytes } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

/** @param {() => Promise<void>} changed */
export function offerBringing(changed) {
  let file = null;
  const input = /** @type {HTMLInputElement} */ (byId("bring"));
  input.addEventListener("change", async () => {
    [file] = input.files;
    if (file) await tried(() => check(file));
    input.value = "";
  });
  byId("list-take").addEventListener("click", () => tried(() => take("")));
  byId("list-keep").addEventListener("click", () => tried(() => take("?others=stay")));
  byId("list-cancel").addEventListener("click", close);

  async function take(others) {
    const { rounds } = await sendBytes(`/hall/rounds${others}`, file);
    setText(byId("rounds-said"), t("rounds_taken", { count: rounds }));
    close();
    await changed();
  }
}

async function check(file) {
  setText(byId("rounds-said"), "");
  const { rounds } = await sendBytes("/hall/rounds/preview", file);
  byId("list-lines").replaceChildren(...rounds.flatMap(lines).map((line) => el("li", {}, line)));
  byId("list-keep").hidden = !rounds.some((round) => round.goes.length);
  byId("list-check").hidden = false;
  byId("list-check").scrollIntoView({ block: "nearest" });
  byId("list-take").focus({ preventScroll: true });
}

function lines({ number: round, is_new: isNew, comes, changes, goes, unknown_tables: unknown }) {
  const words = (tables) => ({ round, count: tables.length, tables: tables.slice(0, 12).join(", ") + (tables.length > 12 ? " …" : "") });
  const found = isNew
    ? [t("list_round_new", { round, count: comes.length })]
    : [goes.length && t("list_goes", words(goes)), comes.length && t("list_comes", words(comes)), changes.length && t("list_changes", words(changes))];
  if (unknown.length) found.push(t("list_unknown", words(unknown)));
  const told = found.filter(Boolean);
  return told.length ? told : [t("list_same", { round })];
}

function close() {
  byId("list-check").hidden = true;
}

async function tried(act) {
  try {
    await act();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    close();
    setText(byId("rounds-said"), problem.message);
  }
}
