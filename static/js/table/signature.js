// A field for a signature with finger or pen, stored as the path of an SVG of 600 × 200.

const WIDTH = 600;
const HEIGHT = 200;
const STEP = 3; // shorter moves of the finger are ignored
const SHORTEST = 60; // a shorter path is a dot, not a name
const LONGEST_PATH = 18_000;

/** @typedef {{ x: number, y: number }} Point */

/** @type {(a: Point, b: Point) => number} */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
/** @type {(a: Point, b: Point) => Point} */
const middle = (a, b) => ({
  x: Math.round((a.x + b.x) / 2),
  y: Math.round((a.y + b.y) / 2),
});

/**
 * Smooth curves through the midpoints of the points.
 *
 * @param {Point[]} points
 */
function strokePath(points) {
  const [first, ...rest] = points;
  let path = `M${first.x} ${first.y}`;
  rest.forEach((point, at) => {
    const end = at === rest.length - 1 ? point : middle(point, rest[at + 1]);
    path += `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return path;
}

export class SignatureField {
  /** @type {Point[][]} */
  #strokes = [];
  #changed;

  /**
   * @param {string} label
   * @param {(isSigned: boolean) => void} changed
   */
  constructor(label, changed) {
    this.#changed = changed;
    this.element = document.createElement("canvas");
    Object.assign(this.element, { width: WIDTH * 2, height: HEIGHT * 2, className: "signature" });
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", label);
    this.element.addEventListener("pointerdown", (event) => this.#begin(event));
    this.element.addEventListener("pointermove", (event) => this.#move(event));
    this.element.addEventListener("pointerup", () => this.#changed(this.isSigned));
  }

  get isSigned() {
    const length = this.#strokes.reduce(
      (total, stroke) =>
        total + stroke.slice(1).reduce((sum, point, at) => sum + distance(point, stroke[at]), 0),
      0,
    );
    return length >= SHORTEST;
  }

  // Leaves out every second point until the path is short enough to store.
  get path() {
    let strokes = this.#strokes.filter((stroke) => stroke.length > 1);
    let path = strokes.map(strokePath).join("");
    while (path.length > LONGEST_PATH) {
      strokes = strokes.map((stroke) =>
        stroke.filter((_point, at) => at % 2 === 0 || at === stroke.length - 1),
      );
      path = strokes.map(strokePath).join("");
    }
    return path;
  }

  clear() {
    this.#strokes = [];
    this.#draw();
    this.#changed(false);
  }

  /**
   * @param {PointerEvent} event
   * @returns {Point}
   */
  #point(event) {
    const box = this.element.getBoundingClientRect();
    /** @type {(value: number, most: number) => number} */
    const inside = (value, most) => Math.round(Math.min(Math.max(value, 0), most));
    return {
      x: inside(((event.clientX - box.left) / box.width) * WIDTH, WIDTH),
      y: inside(((event.clientY - box.top) / box.height) * HEIGHT, HEIGHT),
    };
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.#strokes.push([this.#point(event)]);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const stroke = this.#strokes.at(-1);
    if (!event.buttons || !stroke) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) {
      const point = this.#point(each);
      if (distance(point, stroke[stroke.length - 1]) >= STEP) stroke.push(point);
    }
    this.#draw();
  }

  #draw() {
    const pen = /** @type {CanvasRenderingContext2D} */ (this.element.getContext("2d"));
    pen.clearRect(0, 0, this.element.width, this.element.height);
    pen.lineCap = pen.lineJoin = "round";
    // Ink on white in both colour schemes, as printed.
    pen.strokeStyle = getComputedStyle(this.element).color;
    pen.save();
    pen.scale(2, 2);
    pen.lineWidth = 3.5;
    pen.stroke(new Path2D(this.path));
    pen.restore();
  }
}
