/*
 * Who of this process has a lock next. Tasks of one process that ask the disk for the same lock again and again keep one another from ending:
 * each look costs the one that holds it, most of all on Windows, where what somebody reads cannot be deleted.
 */

/** A place in the queue for something that one task of this process has at a time. */
export interface Turn {
  /** It came as late as the caller waits at most; another one has its turn still. */
  readonly late: boolean;
  /** Says that what is waited for went to another process: that is no standstill. */
  readonly moved: () => void;
  /** The next one has its turn. */
  readonly end: () => void;
}

interface Queue {
  readonly waiting: Set<() => void>;
  /** When it last moved. */
  moved: number;
}

const queues = new Map<string, Queue>();

/**
 * Waits for a turn, in the order of the calls.
 *
 * @param patience milliseconds of waiting without a movement after which the turn is late.
 * @param until when it is late at the latest, in milliseconds since 1970.
 * @param signal ends the waiting: the turn is late.
 */
export async function turnFor(key: string, patience: number, until: number, signal?: AbortSignal): Promise<Turn> {
  const known = queues.get(key);
  const queue = known ?? { waiting: new Set(), moved: Date.now() };
  queues.set(key, queue);
  const late = known !== undefined && !(await isNext(queue, patience, until, signal));
  let isOver = late;
  return {
    late,
    moved: () => void (queue.moved = Date.now()),
    end: () => {
      if (isOver) return;
      isOver = true;
      queue.moved = Date.now();
      const [next] = queue.waiting;
      if (next) next();
      else queues.delete(key);
    },
  };
}

/** Waits until the one before is done. False when that took too long. */
function isNext(queue: Queue, patience: number, until: number, signal: AbortSignal | undefined): Promise<boolean> {
  const began = Date.now();
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (answer: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      queue.waiting.delete(next);
      resolve(answer);
    };
    const next = (): void => settle(true);
    const giveUp = (): void => settle(false);
    const watch = (): void => {
      const left = Math.min(Math.max(began, queue.moved) + patience, until) - Date.now();
      if (left < 0) giveUp();
      else timer = setTimeout(watch, left + 1);
    };
    queue.waiting.add(next);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    else watch();
  });
}
