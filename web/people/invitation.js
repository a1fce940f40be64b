// What a joining device is shown: a QR code, the digits beside it, and where to type them.

import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

/** Show an invitation in its place, in view. */
export function showInvitation(place, invitation) {
  place.replaceChildren(
    el("img", { src: invitation.qr, alt: t("qr_alt"), width: 220, height: 220 }),
    ...(invitation.only_qr ? [el("p", { class: "trouble" }, t("invite_only_qr"))] : [el("p", { class: "code" }, invitation.code.replace(/(...)(...)/, "$1 $2")), el("p", {}, t("invite_how", { minutes: Math.round(invitation.lifetime_s / 60) }))]),
    ...invitation.addresses.map((address) => el("p", { class: "address" }, address)),
  );
  place.scrollIntoView({ block: "nearest" });
}

/** The side of the open code's device, empty for any other. */
let openFor = "";

/** Show an invitation over the page, with its purpose. A code for a side closes once its device has joined. */
export function openInvitation(invitation, purpose, side = "") {
  openFor = side;
  setText(byId("invitation-for"), purpose.join(" · "));
  byId("invitation-sheet").showModal();
  showInvitation(byId("invitation"), invitation);
}

/** Close the code of a side that now has its own device. */
export function closeInvitation(seated) {
  if (openFor && seated.includes(openFor)) byId("invitation-sheet").close();
}
