// What this device may do at all; the server refuses the rest anyway, so the page does not offer it.

/** Whether the device only watches: it asks for nothing, sets nothing right, plays nobody. */
export const ONLY_WATCHES = "onlyWatches" in document.body.dataset;

/** Whether the device invites others. */
export const IS_OWNER = document.body.dataset.role === "owner";
