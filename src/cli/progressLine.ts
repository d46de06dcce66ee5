import type { Colours } from './colour.ts';

/** How long, in milliseconds, something may take before it is named, and how often the line is drawn anew. */
const patience = 500;
const pace = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** One line at the bottom of a terminal that names what is waited for; nothing where there is no terminal. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #colours: Colours;
  #step: string | undefined;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #drawn = false;
  #midLine = false;

  constructor(stream: NodeJS.WriteStream, colours: Colours) {
    this.#stream = stream;
    this.#colours = colours;
  }

  /**
   * Names the step that begins now; it is drawn once it has lasted for half a second since the first one. A step without a name is not
   * drawn.
   */
  show(step: string): void {
    if (!this.#stream.isTTY) return;
    this.#step = step === '' ? undefined : step;
    if (step === '') this.clear();
    if (this.#timer) return;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#draw(), pace);
    // Only drawing: it must not keep the process alive.
    this.#timer.unref();
  }

  /** Takes the line away, so that something else can be printed. It comes back with the next beat. */
  clear(): void {
    if (!this.#drawn) return;
    this.#stream.write('\r\u001b[K');
    this.#drawn = false;
  }

  /**
   * Says that somebody else has written to the terminal. A line that is not ended yet is left alone: drawing would wipe it out.
   */
  passed(text: string): void {
    if (text !== '') this.#midLine = !text.endsWith('\n');
  }

  /** Nothing is waited for any more. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#step = undefined;
    this.clear();
  }

  #draw(): void {
    const waited = performance.now() - this.#since;
    if (this.#step === undefined || waited < patience || this.#midLine) return;
    this.#frame = (this.#frame + 1) % frames.length;
    const seconds = waited >= 3000 ? ` (${Math.floor(waited / 1000)} s)` : '';
    const room = Math.max(10, (this.#stream.columns || 80) - 4 - seconds.length);
    const step = this.#step.length > room ? `${this.#step.slice(0, room - 1)}…` : this.#step;
    this.#stream.write(
      `\r\u001b[K${this.#colours.cyan(frames[this.#frame] ?? '')} ${step}${this.#colours.dim(seconds)}`,
    );
    this.#drawn = true;
  }
}
