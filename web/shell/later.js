// Modules that a page fetches after its first look.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const TRIES_BEFORE_RELOAD = 3;

/**
 * Import a module, retrying until the network delivers it. Without it a part of the page would stay dead for the
 * evening.
 *
 * A browser may cache a failed module address for the page's lifetime. So each retry uses another address. If an
 * imported module was lost, which has no other address, the page reloads once when the server answers again.
 * @template Module
 * @param {(again: string) => Promise<Module>} fetched  imports it, with `again` appended to its path
 * @returns {Promise<Module>}
 */
export async function later(fetched) {
  for (let tries = 0; ; tries++) {
    try {
      return await fetched(tries ? `?again=${tries}` : "");
    } catch (problem) {
      if (!(problem instanceof TypeError)) throw problem; // it arrived, and is broken
      await new Promise((done) => setTimeout(done, Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS)));
      if (tries + 1 >= TRIES_BEFORE_RELOAD && !wasReloaded() && (await deskAnswers())) location.reload();
    }
  }
}

function wasReloaded() {
  return performance.getEntriesByType("navigation")[0]?.type === "reload";
}

async function deskAnswers() {
  try {
    return (await fetch(location.href, { method: "HEAD" })).ok;
  } catch {
    return false;
  }
}
