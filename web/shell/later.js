// Modules that a page fetches after its first look.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * A module, asked for again until the network brings it: without it a part of the page would stay dead for the evening.
 * @param {() => Promise<object>} fetched  imports it
 */
export async function later(fetched) {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await fetched();
    } catch (problem) {
      if (!(problem instanceof TypeError)) throw problem; // it came, and is broken
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }
}
