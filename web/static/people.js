// Who is at the table: what this device is, joining by code, and for the owner inviting and ending devices.

import { ask, Refused, send } from "./api.js";
import { byId, el } from "./dom.js";
import { t } from "./texts.js";

export class People {
  /** @param {function} trouble  shows one sentence when something is refused */
  constructor(trouble) {
    this.trouble = trouble;
    byId("join").addEventListener("submit", (event) => this.join(event));
    byId("leave").addEventListener("click", () => this.change("/leave"));
    byId("invite").addEventListener("submit", (event) => this.invite(event));
    byId("invite-role").addEventListener("change", () => this.showSides());
  }

  /** A link from the host's screen carries its token behind the #, where no log sees it. */
  async joinByLink() {
    const token = new URLSearchParams(location.hash.slice(1)).get("join");
    if (!token) return;
    history.replaceState(null, "", location.pathname + location.search);
    await this.change("/join", { code: token });
  }

  async join(event) {
    event.preventDefault();
    await this.change("/join", { code: byId("join-code").value.replace(/\s/g, "") });
  }

  async change(path, body) {
    try {
      await send(path, body);
      location.reload();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
    }
  }

  async invite(event) {
    event.preventDefault();
    const [side, figure] = byId("invite-side").value.split("\n");
    const isPlayer = byId("invite-role").value === "player";
    const tied = isPlayer && side ? { side, figures: figure ? [figure] : [] } : {};
    const invitation = await send("/invitations", { role: byId("invite-role").value, ...tied });
    const code = invitation.code.replace(/(...)(...)/, "$1 $2");
    byId("invitation").replaceChildren(
      el("img", { src: invitation.qr, alt: t("qr_alt"), width: 220, height: 220 }),
      el("p", { class: "code" }, code),
      el("p", {}, t("invite_how", { minutes: Math.round(invitation.lifetime_s / 60) })),
      ...invitation.addresses.map((address) => el("p", { class: "address" }, address)),
    );
    byId("invitation").scrollIntoView({ block: "nearest" });
  }

  /** For whom an invited player decides: everybody, a side, or one figure. */
  async showSides() {
    const place = byId("invite-side-label");
    place.hidden = true;
    if (byId("invite-role").value !== "player") return;
    const document = await ask("/match").catch(() => null);
    if (!document) return;
    const { view, names } = document;
    const sides = [...new Set(view.figures.map((figure) => figure.side))];
    const groups = sides.map((side) =>
      el(
        "optgroup",
        { label: names[side] },
        el("option", { value: side }, t("whole_side", { side: names[side] })),
        ...view.figures.filter((figure) => figure.side === side).map((figure) => el("option", { value: `${side}\n${figure.id}` }, names[figure.id])),
      ),
    );
    byId("invite-side").replaceChildren(el("option", { value: "" }, t("every_side")), ...groups);
    place.hidden = false;
  }

  async showDevices() {
    const { devices } = await ask("/devices");
    byId("devices").replaceChildren(...devices.map((device) => this.device(device)));
  }

  device(device) {
    const end = el("button", { type: "button", class: "button quiet" }, t("end_device"));
    end.addEventListener("click", async () => {
      await send(`/devices/${device.id}/end`);
      await this.showDevices();
    });
    const belongs = device.figures.length ? device.figures.join(", ") : device.side;
    const name = [t(`role_${device.role}`), belongs || device.id, device.name].filter(Boolean).join(" · ");
    return el("li", {}, el("span", {}, device.is_this ? `${name} (${t("this_device")})` : name), device.is_this ? null : end);
  }
}
