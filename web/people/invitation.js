// What a device that is to join is shown: a QR code, the digits beside it, and where to type them.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** Shows an invitation in its place, in view. */
export function showInvitation(place, invitation) {
  place.replaceChildren(
    el("img", { src: invitation.qr, alt: t("qr_alt"), width: 220, height: 220 }),
    ...(invitation.only_qr ? [el("p", { class: "trouble" }, t("invite_only_qr"))] : [el("p", { class: "code" }, invitation.code.replace(/(...)(...)/, "$1 $2")), el("p", {}, t("invite_how", { minutes: Math.round(invitation.lifetime_s / 60) }))]),
    ...invitation.addresses.map((address) => el("p", { class: "address" }, address)),
  );
  place.scrollIntoView({ block: "nearest" });
}
