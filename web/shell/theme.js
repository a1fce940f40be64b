// Runs before the first paint, so that the page never flashes in the wrong brightness; and if the page's own script does
// not come through, what needs none of it (links, the menu) is not kept shut.
(() => {
  const chosen = localStorage.getItem("sightline-theme");
  const system = matchMedia("(prefers-contrast: more)").matches ? "contrast" : "dark";
  document.documentElement.dataset.theme = chosen ?? system;
  document.documentElement.dataset.type = localStorage.getItem("sightline-type") ?? "";
  addEventListener("load", () => setTimeout(() => (document.body.inert = false), 3000));
})();
