/** Wakes those who wait for a condition: each checks it again, and waits again while it does not hold. */

export interface Notifier {
  /** Wakes everyone who waits; a call with nobody waiting is not kept. */
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
