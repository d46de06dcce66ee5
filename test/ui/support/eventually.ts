/** How long a person object waits for what should appear. The machine may be busy; nobody waits longer than needed. */
export const patience = 90_000;

/**
 * Waits until `read` gives what `accept` wants, and gives it back. A failure prints the last state seen, because
 * "timed out" alone says nothing about why.
 */
export async function eventually<T>(
  what: string,
  read: () => Promise<T>,
  accept: (state: T) => boolean,
  deadline: number = patience,
): Promise<T> {
  const end = Date.now() + deadline;
  for (;;) {
    const asked = performance.now();
    const state = await read();
    if (accept(state)) return state;
    if (Date.now() > end) {
      throw new Error(`${what}: not within ${deadline / 1000} s. Last seen: ${JSON.stringify(state, null, 2)}`);
    }
    // The workbench has no event that a page outside it could listen to; its next frames are the nearest thing.
    // To look takes the window's own time: where that is slow, what is waited for gets twice as much of it.
    const took = performance.now() - asked;
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, Math.min(2 * took, 500))));
  }
}

/** True if the text is, contains or matches what is wanted. */
export function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}
