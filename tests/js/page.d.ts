// What the browser's own types do not know of our page.

interface ParentNode {
  /** A selector does not say which kind of element it finds; our templates do. */
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}

interface PerformanceEntry {
  /** Of a navigation: "navigate", "reload", "back_forward". */
  type?: string;
}
