// Runs before the first paint, so that the page never flashes in the wrong brightness.
(() => {
  const chosen = localStorage.getItem("sightline-theme");
  const system = matchMedia("(prefers-contrast: more)").matches ? "contrast" : "dark";
  document.documentElement.dataset.theme = chosen ?? system;
})();
