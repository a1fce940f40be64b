// This device's rights. The server enforces them anyway, so the page does not offer the rest.

/** Whether the device only watches: it neither asks, corrects nor plays. */
export const ONLY_WATCHES = "onlyWatches" in document.body.dataset;

/** Whether the device is the host's. */
export const IS_OWNER = document.body.dataset.role === "owner";

/** Whether the device may invite the players of a side. */
export const MAY_INVITE = ["judge", "head_judge", "owner"].includes(document.body.dataset.role ?? "");
