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
    const invitation = await send("/invitations", { role: byId("invite-role").value });
    const code = invitation.code.replace(/(...)(...)/, "$1 $2");
    byId("invitation").replaceChildren(
      el("img", { src: invitation.qr, alt: t("qr_alt"), width: 220, height: 220 }),
      el("p", { class: "code" }, code),
      el("p", {}, t("invite_how", { minutes: Math.round(invitation.lifetime_s / 60) })),
      el("p", { class: "address" }, invitation.url.split("/#")[0]),
    );
    byId("invitation").scrollIntoView({ block: "nearest" });
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
    const name = `${t(`role_${device.role}`)} ${device.id}`;
    return el("li", {}, el("span", {}, device.is_this ? `${name} (${t("this_device")})` : name), device.is_this ? null : end);
  }
}
