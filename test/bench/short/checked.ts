/** Two sides that alternate, and whose pages are compared. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { assertAlike } from '../pixels.js';
import { alternate } from '../rounds.js';
import type { Bench, Taking } from './row.js';

const ROUNDS = 5;

export type Sides = Readonly<Record<'ours' | 'theirs', (save?: string) => Promise<number>>>;

/**
 * Alternates two sides; the pages of the first round, which warms up, are compared.
 * @param most levels by which samples may differ on average: 0, except where one side encodes what the other passes on
 * @throws unless both have the same pages
 */
export async function checked(
  { folder, say }: Pick<Bench, 'folder' | 'say'>,
  title: string,
  pages: number,
  sides: Sides,
  { rounds = ROUNDS, most = 0 } = {},
): Promise<Taking & Required<Pick<Taking, 'theirs'>>> {
  const saved = { ours: await mkdtemp(join(folder, 'ours-')), theirs: await mkdtemp(join(folder, 'theirs-')) };
  const takings = await alternate(
    {
      ours: isWarmUp => sides.ours(isWarmUp ? saved.ours : undefined),
      theirs: isWarmUp => sides.theirs(isWarmUp ? saved.theirs : undefined),
    },
    { rounds, title, say },
  );
  await assertAlike(saved.ours, saved.theirs, pages, most);
  return takings;
}
