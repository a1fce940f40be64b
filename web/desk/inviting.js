// The organiser's screen: a join code for another judge, or the head judge.

import { Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { showInvitation } from "../people/invitation.js";

const ROLES = /** @type {const} */ (["judge", "head_judge"]);

/** Show a code at a tap, if this device may invite. */
export function offerInviting() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("inviting"));
  if (!dialog) return;
  byId("invite").addEventListener("click", async () => {
    await fill("judge");
    dialog.showModal();
  });
  for (const role of ROLES) byId(`invite-${role}`).addEventListener("click", () => fill(role));
  byId("inviting-close").addEventListener("click", () => dialog.close());
}

async function fill(role) {
  const place = byId("invitation");
  for (const one of ROLES) byId(`invite-${one}`).setAttribute("aria-pressed", String(one === role));
  try {
    showInvitation(place, await send("/invitations", { role }));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    place.replaceChildren(el("p", {}, problem.message));
  }
}
