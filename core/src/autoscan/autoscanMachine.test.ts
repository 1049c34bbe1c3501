/** Every event in every state. */
import t from 'tap';
import { stepAutoscan, type AutoscanEvent, type AutoscanState } from './autoscanMachine.js';

const events: readonly AutoscanEvent[] = ['enable', 'paper', 'captured', 'failed', 'end'];

/** `state: effects` for each event, in the order above; `-`: no effect. */
const table: Readonly<Record<AutoscanState, readonly string[]>> = {
  disabled: ['enabled: listen', '-', '-', '-', '-'],
  enabled: ['-', 'capturing: capture', '-', '-', 'disabled: notify'],
  capturing: ['capturing: renew', '-', 'enabled: listen', 'enabled: rest', 'disabling: stop'],
  disabling: ['-', '-', 'disabled: notify', 'disabled: notify', '-'],
};

for (const [state, expected] of Object.entries(table) as [AutoscanState, readonly string[]][]) {
  events.forEach((event, at) => {
    const step = stepAutoscan(state, event);
    const said = step.state === state && step.effects.length === 0 ? '-' : `${step.state}: ${step.effects.join(' ')}`;
    t.equal(said, expected[at], `${state}, ${event}`);
  });
}

t.test('stepAutoscan: any events after end, no paper is fed and the readers are told once per session', async t => {
  const walk = (state: AutoscanState, open: boolean, depth: number): void => {
    if (depth === 0) return;
    for (const event of events) {
      const { state: next, effects } = stepAutoscan(state, event);
      const notices = effects.filter(each => each === 'notify').length;
      if (notices > (open ? 1 : 0)) t.fail(`${state}, ${event}: a notice without a session`);
      if (state === 'disabling' && effects.includes('capture')) t.fail(`${state}, ${event}: feeds`);
      const begun = open || (state === 'disabled' && event === 'enable');
      const over = notices > 0;
      if ((next === 'disabled') === (begun && !over)) t.fail(`${state}, ${event}: ${next} says otherwise`);
      walk(next, begun && !over, depth - 1);
    }
  };
  walk('disabled', false, 6);
  t.pass('six events deep');
});
