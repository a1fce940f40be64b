// Modules that a page fetches after its first look.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const TRIES_BEFORE_RELOAD = 3;

/**
 * A module, asked for again until the network brings it: without it a part of the page would stay dead for the evening.
 *
 * A browser may remember for as long as the page lives that an address brought no module. So each further try asks for
 * another address; and where a module that this one imports was lost, which has no other address, the page is loaded
 * anew, once, when the desk answers again.
 * @template Module
 * @param {(again: string) => Promise<Module>} fetched  imports it, with `again` behind its path
 * @returns {Promise<Module>}
 */
export async function later(fetched) {
  for (let tries = 0; ; tries++) {
    try {
      return await fetched(tries ? `?again=${tries}` : "");
    } catch (problem) {
      if (!(problem instanceof TypeError)) throw problem; // it came, and is broken
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
