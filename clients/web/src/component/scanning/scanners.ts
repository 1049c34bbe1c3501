/** The scanners of this computer, one of which is chosen. */
import type { Scanner } from '../../client/shapes.js';
import type { Context } from '../context.js';
import type { Key } from '../words/en.js';

export interface Scanners {
  readonly all: readonly Scanner[];
  readonly chosen: Scanner | undefined;
  /** The list is being requested. */
  readonly isLooking: boolean;
  /** Why there is none: keys of a title and of a sentence. */
  readonly absent: readonly [title: Key, text: Key] | undefined;
  choose(scanner: Scanner): void;
  /** Keeps the choice if that scanner is still listed. @param fixed only this one may be chosen */
  show(scanners: readonly Scanner[], fixed: string | undefined): void;
  /** Whether it is in use; undefined: it is free. */
  useOf(scanner: Scanner): Scanner['inUse'];
  /** Who is in use now. The list, and the choice, stay. */
  showUse(scanners: readonly Scanner[]): void;
  wait(): void;
  say(title: Key, text: Key): void;
}

/** @param onChoose also called when the list was read again */
export function createScanners({ memory, changed }: Context, onChoose: (scanner: Scanner) => void): Scanners {
  let all: readonly Scanner[] = [];
  let chosen: Scanner | undefined;
  let isLooking = true;
  let absent: readonly [Key, Key] | undefined;
  let uses = usesOf([]);

  function choose(scanner: Scanner): void {
    chosen = scanner;
    memory.remember('scanner', scanner.name);
    onChoose(scanner);
    changed();
  }

  return {
    get all() {
      return all;
    },
    get chosen() {
      return chosen;
    },
    get isLooking() {
      return isLooking;
    },
    get absent() {
      return absent;
    },
    choose,
    show(scanners, fixed) {
      all = fixed === undefined ? scanners : scanners.filter(({ name }) => name === fixed);
      [isLooking, absent, uses] = [false, undefined, usesOf(scanners)];
      const wanted = chosen?.name ?? memory.recall('scanner');
      const pick = all.find(({ name }) => name === wanted) ?? all.find(({ isOnline }) => isOnline) ?? all[0];
      chosen = undefined;
      if (pick) choose(pick);
      else changed();
    },
    useOf: ({ name }) => uses.get(name),
    showUse(now) {
      const had = JSON.stringify([...uses]);
      uses = usesOf(now);
      if (JSON.stringify([...uses]) !== had) changed();
    },
    wait() {
      isLooking = true;
      changed();
    },
    say(title, text) {
      [isLooking, absent, chosen, all] = [false, [title, text], undefined, []];
      changed();
    },
  };
}

const usesOf = (scanners: readonly Scanner[]) => new Map(scanners.map(({ name, inUse }) => [name, inUse]));
