/** Sheets and a context for tests of the component. */
import type { Calls } from '../calls.js';
import type { Context } from '../context.js';
import type { Page, Sheet } from './page.js';
import { sheetId } from './layout.js';
import { english } from '../words/english.test.kit.js';
import type { Words } from '../words/words.js';

const facts: Omit<Page, 'file'> = {
  mimeType: 'image/png',
  width: 850,
  height: 1100,
  resolution: 100,
  format: 'Png',
  bytes: 3,
  ocrText: '',
  barcodes: [],
};
const at = new Date(2026, 10, 21, 10, 30);

/** Its file is the text `scan/number` with its turn. */
export function kept(scan: string, number: number, more: Partial<Page> & { readonly damage?: string } = {}): Sheet {
  const id = sheetId(scan, number);
  const { damage, ...rest } = more;
  const read = async (rotate: number): Promise<Blob> => new Blob([`${id} ${rotate}`], { type: 'image/png' });
  const file = { scan, number, sheet: number, side: 'front' as const, url: `https://localhost/${id}`, damage, read };
  return { id, page: { ...facts, file, ...rest }, scanner: 'Feeder A', at };
}

export interface FakeContext extends Context {
  /** What was said. */
  readonly said: string[];
  /** The ids that got the focus. */
  readonly focused: string[];
}

export function fakeContext(words: Words = english): FakeContext {
  const [said, focused, remembered]: [string[], string[], Map<string, unknown>] = [[], [], new Map()];
  return {
    said,
    focused,
    words,
    // No part under test asks the service.
    client: {} as Calls,
    memory: {
      recall: name => remembered.get(name),
      remember: (name, value) => void remembered.set(name, value),
    },
    changed: () => undefined,
    announce: sentence => void said.push(sentence),
    focus: id => void focused.push(id),
  };
}
