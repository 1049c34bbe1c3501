import t from 'tap';
import { next, numbers, states, stepDown, type State, type StateEvent } from './states.js';

/** Every event in every state: the next state, or none if it is impossible. */
const wanted: Readonly<Record<StateEvent, Partial<Record<State, State>>>> = {
  started: { absent: 'loaded' },
  exited: {
    absent: 'absent',
    loaded: 'absent',
    managed: 'absent',
    open: 'absent',
    enabled: 'absent',
    spent: 'absent',
    ready: 'absent',
    transferring: 'absent',
  },
  dsmOpened: { loaded: 'managed' },
  dsmClosed: { managed: 'loaded' },
  sourceOpened: { managed: 'open' },
  sourceClosed: { open: 'managed' },
  enabled: { open: 'enabled' },
  finished: { enabled: 'spent' },
  disabled: { enabled: 'open', spent: 'open' },
  ready: { enabled: 'ready', spent: 'ready' },
  transferBegan: { ready: 'transferring', transferring: 'transferring' },
  endedMore: { ready: 'ready', transferring: 'ready' },
  endedNone: { ready: 'spent', transferring: 'spent' },
  reset: { ready: 'spent' },
  refused: { ready: 'spent', transferring: 'ready' },
};

t.test('next: every event in every state, gives its state or throws', async t => {
  t.equal(states.length, 8);
  for (const [event, rows] of Object.entries(wanted) as [StateEvent, Partial<Record<State, State>>][]) {
    for (const state of states) {
      const to = rows[state];
      if (to) t.equal(next(state, event), to, `${event} in ${state}`);
      else
        t.throws(
          () => next(state, event),
          { message: `TWAIN's state ${numbers[state]} (${state}) does not allow "${event}".` },
          `${event} in ${state}`,
        );
    }
  }
});

t.test('stepDown: from every state, reaches each lower state even if each step is refused', async t => {
  const refusals: Readonly<Record<string, StateEvent>> = {
    endTransfer: 'refused',
    resetTransfers: 'refused',
    disable: 'exited',
    closeSource: 'exited',
    closeDsm: 'exited',
  };
  const succeeds: Readonly<Record<string, StateEvent>> = {
    endTransfer: 'endedMore',
    resetTransfers: 'reset',
    wait: 'finished',
    disable: 'disabled',
    closeSource: 'sourceClosed',
    closeDsm: 'dsmClosed',
    leave: 'exited',
  };
  for (const from of states) {
    for (const target of ['open', 'managed', 'loaded', 'absent'] as const) {
      for (const refuses of [false, true]) {
        let state = from;
        let steps = 0;
        for (let step = stepDown(state, target); step; step = stepDown(state, target)) {
          state = next(state, (refuses && refusals[step]) || succeeds[step]!);
          t.ok(++steps < 9, `${from} to ${target} ends`);
        }
        t.ok(numbers[state] <= numbers[target], `${from} to ${target}${refuses ? ', refused' : ''}`);
      }
    }
  }
});

t.test('stepDown: a pending page, waits before it disables', async t => {
  t.equal(stepDown('enabled', 'open'), 'wait');
  t.equal(stepDown('spent', 'open'), 'disable');
  t.equal(stepDown('open', 'open'), undefined);
});
