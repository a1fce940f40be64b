// The movable picture: pan, pinch, wheel and keys. A tap is passed on in picture pixels.

const TAP_SLOP_PX = 10;
const LONG_PRESS_MS = 550;
const MAX_ZOOM = 8;
const TOOLS_PX = 64;
const GLIDE_MS = 260;

export class Stage {
  /**
   * @param {HTMLElement} box    the touched area
   * @param {HTMLElement} sheet  the picture and its overlay
   * @param {Record<string, any>} handlers        tap(x, y, cssPerPixel), press(x, y, cssPerPixel),
   *   scaled(pixelsPerCss), and for draggable things: grab(x, y, cssPerPixel) returns whether it took hold, then
   *   pull(x, y) and let()
   */
  constructor(box, sheet, handlers) {
    this.box = box;
    this.sheet = sheet;
    this.handlers = handlers;
    this.size = [1, 1];
    this.focus = [0, 0, 1, 1];
    this.near = null;
    this.scale = 1;
    this.left = 0;
    this.top = 0;
    this.fitted = true;
    this.pointers = new Map();
    this.pulling = false;
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, (event) => this.up(event));
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => (this.fitted ? this.fit() : this.place())).observe(box);
  }

  /** Take a new picture. The view stays if the picture has the same size. */
  show(size, focus) {
    const same = size[0] === this.size[0] && size[1] === this.size[1];
    this.size = size;
    this.focus = focus;
    if (!same || this.fitted) this.fit();
    else this.place();
  }

  /** Look at a part of the picture (null: the whole board) unless somebody has moved it by hand. */
  look(near) {
    if (JSON.stringify(near) === JSON.stringify(this.near)) return;
    this.near = near;
    if (!this.fitted) return;
    this.sheet.classList.add("gliding");
    clearTimeout(this.gliding);
    this.gliding = setTimeout(() => this.sheet.classList.remove("gliding"), GLIDE_MS);
    this.fit();
  }

  /** End a running animation: a picture moved by hand follows the hand at once. */
  stand() {
    clearTimeout(this.gliding);
    this.sheet.classList.remove("gliding");
  }

  /** Show the whole board as large as possible. */
  fitWhole() {
    this.stand();
    this.near = null;
    this.fit();
  }

  /** Show the current part as large as possible. */
  fit() {
    const [x, y, width, height] = this.near ?? this.focus;
    const box = this.box.getBoundingClientRect();
    if (!box.width || !box.height) return;
    // The buttons are on the left. A wide picture leaves them their column.
    const inset = width / height > box.width / box.height ? TOOLS_PX : 0;
    this.scale = Math.min((box.width - inset) / width, box.height / height, 4);
    this.left = (box.width + inset) / 2 - (x + width / 2) * this.scale;
    this.top = box.height / 2 - (y + height / 2) * this.scale;
    this.fitted = true;
    this.place();
  }

  /** Zoom by a factor about a point of the box (by default its middle). */
  zoom(factor, at = null) {
    this.stand();
    const box = this.box.getBoundingClientRect();
    const [x, y] = at ?? [box.width / 2, box.height / 2];
    const least = Math.min(box.width / this.size[0], box.height / this.size[1]) * 0.9;
    const next = Math.min(Math.max(this.scale * factor, least), Math.max(MAX_ZOOM, least));
    this.left = x - ((x - this.left) * next) / this.scale;
    this.top = y - ((y - this.top) * next) / this.scale;
    this.scale = next;
    this.fitted = false;
    this.place();
  }

  pan(dx, dy) {
    this.stand();
    this.left += dx;
    this.top += dy;
    this.fitted = false;
    this.place();
  }

  place() {
    const box = this.box.getBoundingClientRect();
    const [width, height] = this.size.map((pixels) => pixels * this.scale);
    // Keep some of the picture in sight.
    this.left = Math.min(Math.max(this.left, 80 - width), box.width - 80);
    this.top = Math.min(Math.max(this.top, 80 - height), box.height - 80);
    Object.assign(this.sheet.style, {
      width: `${width}px`,
      height: `${height}px`,
      left: `${this.left}px`,
      top: `${this.top}px`,
    });
    this.handlers.scaled(1 / this.scale);
  }

  spot(event) {
    const box = this.box.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    if (event.target.closest(".tools, .sheet-menu")) return;
    this.box.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.spot(event));
    this.start = this.spot(event);
    this.touched = this.picturePoint(this.start); // the point under the finger, though the picture may glide on
    this.moved = this.pointers.size > 1;
    clearTimeout(this.pressing);
    this.letGo();
    if (!this.moved) this.pulling = this.handlers.grab(...this.touched, this.scale);
    if (!this.moved && !this.pulling) this.pressing = setTimeout(() => this.press(), LONG_PRESS_MS);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.spot(event);
    if (Math.hypot(now[0] - this.start[0], now[1] - this.start[1]) > TAP_SLOP_PX) {
      this.moved = true;
      clearTimeout(this.pressing);
    }
    if (this.pulling) this.handlers.pull(...this.picturePoint(now));
    else if (this.pointers.size === 1 && this.moved) this.pan(now[0] - before[0], now[1] - before[1]);
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    this.pointers.set(event.pointerId, now);
  }

  pinch(id, before, now) {
    const other = [...this.pointers].find(([key]) => key !== id)[1];
    const apart = Math.hypot(before[0] - other[0], before[1] - other[1]);
    const next = Math.hypot(now[0] - other[0], now[1] - other[1]);
    if (apart > 0) this.zoom(next / apart, [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }

  up(event) {
    clearTimeout(this.pressing);
    const was = this.pointers.delete(event.pointerId);
    if (this.letGo()) return;
    if (!was || this.moved || this.pointers.size || event.type === "pointercancel") return;
    this.handlers.tap(...this.touched, this.scale);
    this.moved = true;
  }

  /** End a drag. Returns whether there was one. */
  letGo() {
    const was = this.pulling;
    this.pulling = false;
    if (was) this.handlers.let();
    return was;
  }

  press() {
    if (this.moved) return;
    this.moved = true;
    this.handlers.press(...this.touched, this.scale);
  }

  /**
   * The picture pixel under a spot of the box, as currently drawn.
   *
   * @param {number[]} spot
   * @returns {[number, number]}
   */
  picturePoint([x, y]) {
    const box = this.box.getBoundingClientRect();
    const sheet = this.sheet.getBoundingClientRect();
    const scale = sheet.width / this.size[0];
    return [(x + box.left - sheet.left) / scale, (y + box.top - sheet.top) / scale];
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), this.spot(event));
  }
}
