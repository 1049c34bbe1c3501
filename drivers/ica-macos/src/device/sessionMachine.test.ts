/** The table of a session's states: transitions, deadlines, reachable states. */
import t from 'tap';
import { patience, stepSession, type SessionEvent, type SessionState } from './sessionMachine.js';

const states = Object.keys(patience) as SessionState[];
const events: readonly SessionEvent[] = [
  'look',
  'found',
  'opened',
  'isReady',
  'select',
  'selected',
  'scan',
  'scanned',
  'finish',
  'cancel',
  'close',
  'closed',
  'gone',
  'late',
];

function after(...path: SessionEvent[]): SessionState | undefined {
  return path.reduce<SessionState | undefined>((state, event) => state && stepSession(state, event)?.state, 'closed');
}

t.test('session states: a whole session', async t => {
  t.equal(
    after('look', 'found', 'opened', 'isReady', 'select', 'selected', 'scan', 'scanned', 'close', 'closed'),
    'closed',
  );
  t.equal(
    after('look', 'found', 'opened', 'isReady', 'scan', 'finish', 'scanned', 'scan', 'cancel', 'scanned'),
    'idle',
  );
  t.equal(
    after('look', 'found', 'opened', 'isReady', 'scan', 'finish', 'cancel', 'scanned'),
    'idle',
    'a finishing scan can be abandoned',
  );
});

t.test('session states: gone, closed from every state', async t => {
  for (const state of states) t.same(stepSession(state, 'gone'), { state: 'closed' }, state);
});

t.test('session states: every waiting state has a deadline, after which the helper is killed', async t => {
  for (const state of states) {
    t.same(stepSession(state, 'late'), patience[state] ? { state: 'closed', effect: 'kill' } : undefined, state);
  }
});

t.test('session states: every state is reachable', async t => {
  const reached = new Set<SessionState>(['closed']);
  for (const state of reached)
    for (const event of events) {
      const step = stepSession(state, event);
      if (step) reached.add(step.state);
    }
  t.strictSame([...reached].sort(), [...states].sort());
});

t.test('session states: an impossible event, refused', async t => {
  for (const [state, event] of [
    ['closed', 'scan'],
    ['scanning', 'scan'],
    ['scanning', 'select'],
    ['opening', 'scan'],
    ['idle', 'cancel'],
    ['cancelling', 'finish'],
    ['closing', 'scan'],
  ] as const) {
    t.equal(stepSession(state, event), undefined, `${event} while ${state}`);
  }
});
