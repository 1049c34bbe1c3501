/** What is wrong with a configuration, said in sentences: where, what stands there and what is taken. */
import type { ErrorObject } from 'ajv';

interface Node {
  readonly title?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** One clause a problem, without a full stop; of several errors at one place only the telling one. */
export function problemsOf(errors: readonly ErrorObject[]): string[] {
  const telling = errors.filter(error => !error.schemaPath.includes('/anyOf/'));
  return [...new Set(telling.map(problemOf))];
}

function problemOf(error: ErrorObject): string {
  const place = readable(error.instancePath);
  const node = (error.parentSchema ?? {}) as Node;
  if (error.keyword === 'additionalProperties') {
    const key = String((error.params as { additionalProperty: unknown }).additionalProperty);
    const known = Object.keys(node.properties ?? {}).filter(each => each !== '$schema');
    const near = nearest(key, known);
    const hint = near === undefined ? '' : `, did you mean ${near}?`;
    return `${join(place, key)} is not a key that it knows${hint === '' ? ';' : hint} ${where(place)} takes ${known.join(', ')}`;
  }
  if (error.keyword === 'required') {
    const key = String((error.params as { missingProperty: unknown }).missingProperty);
    return `${join(place, key)} is missing; it takes ${accepts(node.properties?.[key] ?? {})}`;
  }
  return `${place === '' ? 'the whole' : place} takes ${accepts(node)}, not ${shown(error.data)}`;
}

/** `/plugins/0/use` as people write it: `plugins[0].use`. */
function readable(pointer: string): string {
  const parts = pointer.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
const where = (place: string): string => (place === '' ? 'the file' : place);

function accepts(node: Node): string {
  if (node.title !== undefined && node.type !== 'object') return node.title;
  if (node.enum) return `one of ${node.enum.join(', ')}`;
  if (node.type === 'integer' || node.type === 'number') {
    const kind = node.type === 'integer' ? 'an integer' : 'a number';
    const low = node.exclusiveMinimum === undefined ? `from ${node.minimum}` : `greater than ${node.exclusiveMinimum},`;
    return `${kind} ${low} ${node.exclusiveMinimum === undefined ? '' : 'up '}to ${node.maximum}`;
  }
  if (node.type === 'boolean') return 'true or false';
  if (node.type === 'array') return node.minItems === undefined ? 'a list' : 'a list that is not empty';
  return node.type === 'object' ? 'an object' : 'a string';
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The known word that is a slip of the pen away. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map(each => ({ each, distance: distance(word.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(best.each.length / 3)) ? best.each : undefined;
}

/** Edits from one word to the other; neighbours swapped count as one. */
function distance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let j = 1; j <= b.length; j += 1) (rows[0] as number[])[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(i - 2, j - 2) + 1);
      (rows[i] as number[])[j] = least;
    }
  }
  return at(a.length, b.length);
}
