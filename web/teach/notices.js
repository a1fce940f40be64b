// Errors and progress: one line each at the top of a teaching page.

import { byId } from "../shell/dom.js";
import { setText } from "../shell/steady.js";

export function trouble(message) {
  byId("trouble").hidden = !message;
  setText(byId("trouble"), message ?? "");
}

export function done(message) {
  byId("done").hidden = !message;
  setText(byId("done"), message ?? "");
  if (message) byId("done").scrollIntoView({ block: "nearest" });
}
