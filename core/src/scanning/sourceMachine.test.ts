/** The table of the open scanner, cell by cell. */
import t from 'tap';
import { stepSource, type SourceEvent, type SourceState, type SourceStep } from './sourceMachine.js';

const events = [
  'open',
  'opened',
  'failed',
  'scan',
  'scanned',
  'close',
  'closed',
  'lost',
] as const satisfies readonly SourceEvent[];

const stays = '';
/** In the order of `events`: the rejection, or the next state and its effects. */
const table: Readonly<Record<SourceState, readonly string[]>> = {
  closed: ['opening open-session', stays, stays, '!no-source-open', stays, 'closed', stays, stays],
  opening: ['!busy', 'open start-idle', 'closed', '!busy', stays, '!busy', stays, stays],
  open: [
    'open start-idle',
    stays,
    stays,
    'scanning stop-idle',
    stays,
    'closing stop-idle close-session',
    stays,
    'closing stop-idle close-session',
  ],
  scanning: ['!busy', stays, stays, '!busy', 'open start-idle', '!busy', stays, 'closing close-session'],
  closing: ['!busy', stays, stays, '!busy', stays, '!busy', 'closed', stays],
};

function stepOf(state: SourceState, cell: string): SourceStep {
  if (cell.startsWith('!')) return { refused: cell.slice(1) as 'busy' | 'no-source-open' };
  const [next = state, ...effects] = cell === stays ? [] : cell.split(' ');
  return { state: next, effects } as SourceStep;
}

for (const [state, row] of Object.entries(table) as [SourceState, readonly string[]][]) {
  t.test(`stepSource: ${state}, the next state and effects of every event`, async t => {
    t.equal(row.length, events.length);
    for (const [i, event] of events.entries()) t.same(stepSource(state, event), stepOf(state, row[i] ?? '?'), event);
  });
}
