/** A part of the component that is loaded at its first use. */
import type { TemplateResult } from 'lit-html';
import { PlatenError } from '../client/errors.js';

export interface LatePart<T> {
  /** Undefined until it is loaded. */
  readonly now: T | undefined;
  /** The same, and begins to load it. */
  readonly wanted: T | undefined;
  /** Undefined if it cannot be loaded, which the person was told. */
  load(): Promise<T | undefined>;
}

/** A dialog that is a part of its own. */
export interface LateDialog {
  draw(): TemplateResult;
  /** Call it when it is drawn. */
  open(): void;
}

/** @throws PlatenError `no-answer` */
export async function loaded<T>(part: Promise<T>): Promise<T> {
  return part.catch((cause: unknown) => {
    throw new PlatenError('no-answer', 'A part of the scanning dialogue cannot be loaded.', { cause });
  });
}

/** How long a failure holds for what is only drawn, ms: a press tries again at once. */
const PAUSE_MS = 5000;

/** @param onLoaded everything is drawn again */
export function latePart<T>(
  importPart: () => Promise<T>,
  onLoaded: () => void,
  onFailure: (error: unknown) => void,
): LatePart<T> {
  let now: T | undefined;
  let loading: Promise<T | undefined> | undefined;
  let nextMs = 0;

  async function attempt(): Promise<T | undefined> {
    try {
      now = await loaded(importPart());
      onLoaded();
    } catch (error) {
      loading = undefined;
      nextMs = performance.now() + PAUSE_MS;
      onFailure(error);
    }
    return now;
  }
  const load = (): Promise<T | undefined> => (loading ??= attempt());

  return {
    get now() {
      return now;
    },
    get wanted() {
      if (!loading && performance.now() >= nextMs) void load();
      return now;
    },
    load,
  };
}
