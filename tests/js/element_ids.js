// Writes elements.d.ts: which element of the templates has which id, so that the type checker knows what `byId` finds.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const SVG_TAGS = new Set(["svg", "g", "path", "image", "rect", "line", "text"]);
const kinds = new Map();
const web = new URL("../../web/", import.meta.url);

for (const file of readdirSync(web, { recursive: true }).filter((name) => name.endsWith(".html"))) {
  const template = readFileSync(new URL(file, web), "utf8");
  for (const [, tag, attributes] of template.matchAll(/<([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/g)) {
    const id = attributes.match(/\sid="([^"{]+)"/)?.[1];
    if (!id) continue;
    const kind = `${SVG_TAGS.has(tag) ? "SVG" : "HTML"}ElementTagNameMap["${tag}"]`;
    kinds.set(id, new Set([...(kinds.get(id) ?? []), kind]));
  }
}
const lines = [...kinds].sort().map(([id, found]) => `  "${id}": ${[...found].join(" | ")};`);
writeFileSync(new URL("elements.d.ts", import.meta.url), `interface PageElements {\n${lines.join("\n")}\n}\n`);
