/** Wakes waiters of a condition: each checks it again, and waits again while it is false. */

export interface Notifier {
  /** Wakes all current waiters; without any, the call has no effect. */
  notify(): void;
  wait(): Promise<void>;
}

export function createNotifier(): Notifier {
  const waiting: (() => void)[] = [];
  return {
    notify() {
      for (const wake of waiting.splice(0)) wake();
    },
    wait: () => new Promise(resolve => waiting.push(resolve)),
  };
}
