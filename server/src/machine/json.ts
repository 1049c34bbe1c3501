/** Parses JSON and gives the position of the first error, which JSON.parse does not always do. */

export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly code = 'invalid-json';
  /** UTF-16 units from the start of the text. */
  readonly characterOffset: number;
  /** 1-based. */
  readonly line: number;
  readonly column: number;

  constructor(text: string, offset: number) {
    const before = text.slice(0, offset).split('\n');
    const line = before.length;
    const column = (before.at(-1) ?? '').length + 1;
    const what = offset >= text.length ? 'the text ends too early' : 'the text is not JSON';
    super(`${what} at line ${line}, column ${column} (character ${offset})`);
    this.characterOffset = offset;
    this.line = line;
    this.column = column;
  }
}

/**
 * Parses JSON and ignores a leading byte order mark.
 * Drops keys that could reach an object's prototype (`__proto__`, `constructor`).
 * @throws {JsonError} whose message never quotes the text
 */
export function parseJson(text: string): unknown {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start));
  } catch {
    throw new JsonError(text, mistake(text, start));
  }
  if (suspicious.test(text)) dropDangerous(value);
  return value;
}

/**
 * Matches text that may contain one of the keys (escapes included); only then is the value walked, which costs time.
 */
const suspicious = /__proto__|constructor|\\u/i;

/** Without recursion, unlike a reviver: nesting costs no call stack. */
function dropDangerous(root: unknown): void {
  const left = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    Reflect.deleteProperty(value, '__proto__');
    Reflect.deleteProperty(value, 'constructor');
    for (const inner of Object.values(value) as unknown[]) left.push(inner);
  }
}

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** The inside of a string: any character from the space on except `"` and `\`, and escapes. */
const stringBody = /[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*/y;

export interface KeyTwice {
  readonly key: string;
  /** 1-based: of the key, and of the one before it. */
  readonly line: number;
  readonly firstLine: number;
}

/** A key that an object of the text has more than once: of such keys, JSON.parse takes the last one, silently. */
export function keyTwice(text: string): KeyTwice | undefined {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  let found: KeyTwice | undefined;
  /** Of each object that is open, its keys with their offsets. */
  const objects: Map<string, number>[] = [];
  mistake(text, start, {
    enter: () => void objects.push(new Map()),
    leave: () => void objects.pop(),
    value: () => undefined,
    key(literal, at) {
      const key = JSON.parse(literal) as string;
      const keys = objects.at(-1);
      const before = keys?.get(key);
      if (before !== undefined) found ??= { key, line: lineOf(at), firstLine: lineOf(before) };
      keys?.set(key, at);
    },
  });
  return found;
}

/** A step of a path into a value: a key, or the index of a list. */
export type Step = string | number;

/** @returns the line of a value, 1-based: that of its key, if it has one; undefined for a path that the text lacks */
export function linesOf(text: string): (path: readonly Step[]) => number | undefined {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const lines = new Map<string, number>();
  const path: Step[] = [];
  let [line, counted] = [1, 0];
  const lineAt = (offset: number): number => {
    for (; counted < offset; counted++) if (text[counted] === '\n') line++;
    return line;
  };
  mistake(text, start, {
    enter: kind => void path.push(kind === '[' ? -1 : ''),
    leave: () => void path.pop(),
    key(literal, at) {
      path[path.length - 1] = JSON.parse(literal) as string;
      lines.set(JSON.stringify(path), lineAt(at));
    },
    value(at) {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
      const key = JSON.stringify(path);
      if (!lines.has(key)) lines.set(key, lineAt(at));
    },
  });
  return of => lines.get(JSON.stringify(of));
}

/** Is told of the values of a text, of lists and objects with a content, and of keys, as they stand in the text. */
interface Visitor {
  enter(kind: '{' | '['): void;
  leave(): void;
  key(literal: string, at: number): void;
  value(at: number): void;
}

/** The offset of the first character that makes the text invalid JSON. Nesting costs no call stack. */
function mistake(text: string, start: number, visitor?: Visitor): number {
  let at = start;
  const eat = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  /** False if the string is invalid; `at` is then at the error. */
  const string = (): boolean => {
    at += 1;
    eat(stringBody);
    if (text[at] !== '"') return false;
    at += 1;
    return true;
  };
  const key = (): boolean => {
    eat(space);
    const from = at;
    if (text[at] !== '"' || !string()) return false;
    visitor?.key(text.slice(from, at), from);
    eat(space);
    if (text[at] !== ':') return false;
    at += 1;
    return true;
  };
  const open: ('{' | '[')[] = [];
  for (;;) {
    eat(space);
    const first = text[at];
    visitor?.value(at);
    if (first === '{' || first === '[') {
      at += 1;
      eat(space);
      if (text[at] !== (first === '{' ? '}' : ']')) {
        open.push(first);
        visitor?.enter(first);
        if (first === '{' && !key()) return at;
        continue;
      }
      at += 1;
    } else if (first === '"') {
      if (!string()) return at;
    } else if (!eat(scalar)) return at;
    for (;;) {
      eat(space);
      const inside = open.at(-1);
      if (inside === undefined) return at;
      if (text[at] === ',') {
        at += 1;
        if (inside === '{' && !key()) return at;
        break;
      }
      if (text[at] !== (inside === '{' ? '}' : ']')) return at;
      at += 1;
      open.pop();
      visitor?.leave();
    }
  }
}
