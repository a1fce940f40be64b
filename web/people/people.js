// The people at the table: this device's role, joining by code, and for the owner inviting and ending devices.

import { ask, Refused, send } from "../shell/api.js";
import { bySides, fillChoice } from "../shell/choices.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { minutesAgo, t } from "../shell/texts.js";
import { openInvitation } from "./invitation.js";

export class People {
  constructor() {
    this.match = null;
    this.takesFrames = false;
    this.devices = new Rows(byId("devices"), (row) => this.device(row));
    byId("join").addEventListener("submit", (event) => this.join(event));
    document.getElementById("not-in")?.addEventListener("submit", (event) => joinBy(event, "not-in-code", "not-in-trouble"));
    document.getElementById("leave")?.addEventListener("click", () => this.change("/leave"));
    byId("invite").addEventListener("submit", (event) => this.invite(event));
    byId("add-phone").addEventListener("click", () => this.addPhone());
    byId("invite-role").addEventListener("change", () => this.showSides());
    byId("guests-play").addEventListener("change", () => this.orTrouble(() => this.letGuests()));
  }

  /** A link from the host's screen carries its token behind the #, where no log sees it. */
  async joinByLink() {
    const token = new URLSearchParams(location.hash.slice(1)).get("join");
    if (!token) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    await this.change("/join", { code: token });
  }

  async join(event) {
    event.preventDefault();
    await this.change("/join", { code: byId("join-code").value.replace(/\s/g, "") });
  }

  async change(path, body) {
    await this.orTrouble(async () => {
      await send(path, body);
      location.reload();
    });
  }

  /** Show a refusal as one sentence at the top of the menu, which opens for it. */
  async orTrouble(work) {
    const place = byId("menu-trouble");
    place.hidden = true;
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      byId("menu").open = true;
      place.hidden = false;
      place.textContent = problem.message;
      place.scrollIntoView({ block: "nearest" });
    }
  }

  invite(event) {
    event.preventDefault();
    return this.orTrouble(() => this.showInvitation());
  }

  async showInvitation() {
    const [side, figure] = byId("invite-side").value.split("\n");
    const isPlayer = byId("invite-role").value === "player";
    const tied = isPlayer && side ? { side, figures: figure ? [figure] : [] } : {};
    const invitation = await send("/invitations", { role: byId("invite-role").value, ...tied });
    const isFirst = side && !figure && !this.match?.seat.elsewhere.includes(side); // a side's second device closes nothing
    openInvitation(invitation, [chosenText("invite-role"), ...(isPlayer && !byId("invite-side-label").hidden ? [chosenText("invite-side")] : [])], isFirst ? side : "");
  }

  /** Show a code for a device of that side, which has this name. */
  inviteSide(side, name) {
    return this.orTrouble(async () => openInvitation(await send("/invitations", { role: "player", side }), [name], side));
  }

  /** The owner's other device also owns the table. */
  addPhone() {
    return this.orTrouble(async () => {
      openInvitation(await send("/invitations", { role: "owner" }), [t("role_owner")]);
    });
  }

  /** Fill the owner's part of the menu: the possible invitations, and the joined devices. */
  async open() {
    this.takesFrames = (await ask("/now")).takes_frames;
    this.match = await ask("/match").catch(() => null); // a table without a match has no sides to choose
    this.showSides();
    await this.showDevices();
  }

  /** Show whom an invited player may decide for: everybody, a side, or one figure. */
  showSides() {
    byId("invite-side-label").hidden = this.match === null || byId("invite-role").value !== "player";
    if (this.match === null) return;
    const { view, names } = this.match;
    const figures = view.figures.map(({ id, side }) => ({ id: `${side}\n${id}`, side, name: names[id] }));
    const sides = bySides(figures, ({ side }) => side, ({ name }) => name);
    for (const side of sides) {
      side.options.unshift([side.label, t("whole_side", { side: names[side.label] })]);
      side.label = names[side.label];
    }
    fillChoice(byId("invite-side"), t("every_side"), sides, byId("invite-side").value);
  }

  async showDevices() {
    this.showList(await ask("/devices"));
  }

  showList({ devices, guests_play: guestsPlay, further_guests: furtherGuests }) {
    setText(byId("further-guests"), furtherGuests ? t("further_guests", { count: furtherGuests }) : "");
    const guests = /** @type {HTMLInputElement} */ (byId("guests-play"));
    guests.checked = guestsPlay;
    byId("guests-watch").hidden = guestsPlay;
    this.devices.show(devices.map((device) => ({ key: device.id, device, belongs: this.belongs(device) })));
  }

  /** The figures or the side of a device, by display name. */
  belongs({ figures, side }) {
    const names = this.match?.names ?? {};
    return figures.length ? figures.map((id) => names[id] ?? id).join(", ") : (names[side] ?? side);
  }

  device({ device, belongs }) {
    const end = el("button", { type: "button", class: "button quiet" }, t("end_device"));
    end.addEventListener("click", () => this.orTrouble(() => this.end(device)));
    const name = [t("device", { n: device.number }), t(`role_${device.role}`), belongs, device.name].filter(Boolean).join(" · ");
    const kind = el("small", {}, [device.kind, device.is_this ? t("this_device") : minutesAgo(device.unseen_s)].filter(Boolean).join(" · "));
    const camera = this.takesFrames ? this.cameraButton(device) : null;
    return el("li", { "data-device": device.id }, el("span", {}, el("bdi", {}, name), kind), camera, device.is_this ? null : end);
  }

  /** Make a device the table's camera, if the camera is a phone. */
  cameraButton(device) {
    const button = el("button", { type: "button", class: "button quiet", "aria-pressed": String(device.is_camera) }, t("is_camera"));
    button.addEventListener("click", () => this.orTrouble(async () => this.showList(await send(`/devices/${device.id}/camera`))));
    return button;
  }

  async letGuests() {
    this.showList(await send("/guests", { may_play: /** @type {HTMLInputElement} */ (byId("guests-play")).checked }));
  }

  async end(device) {
    await send(`/devices/${device.id}/end`);
    await this.showDevices();
  }
}

/** Join with the code in a field, and reload the page. A refusal appears beside the field. */
export async function joinBy(event, field, trouble) {
  event.preventDefault();
  try {
    await send("/join", { code: byId(field).value.replace(/\s/g, "") });
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId(trouble).hidden = false;
    setText(byId(trouble), problem.message);
    return;
  }
  location.reload();
}

/** The displayed choice of a list. */
function chosenText(id) {
  return byId(id).selectedOptions[0]?.textContent ?? "";
}
