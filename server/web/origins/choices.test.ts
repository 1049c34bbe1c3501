import t from 'tap';
import { allowing, choicesFor, choicesOf, isComplete, refusing } from './choices.js';
import type { Asked, Grant } from './state.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const asked = (more: Partial<Asked> = {}): Asked => ({
  ...{ id: '1', origin: 'https://app.example', may: ['scan'], at: '2026-03-01T00:00:00.000Z' },
  ...more,
});

t.test('choices: at first, what the page asks for, for 30 days', async t => {
  const choices = choicesFor(asked({ may: ['settings'], scanners: ['A', 'B'] }));
  t.same(allowing(choices, NOW), {
    id: '1',
    origin: 'https://app.example',
    may: ['scan', 'settings'],
    scanners: ['A', 'B'],
    until: '2026-03-31T00:00:00.000Z',
  });
  t.equal(allowing(choicesFor(asked({ scanners: '*' })), NOW).scanners, '*');
  t.equal(allowing(choicesFor(asked()), NOW).scanners, '*', 'a question without scanners means all');
});

t.test('choices: an address that is not encrypted, for a day; this computer’s own as any other', async t => {
  t.equal(allowing(choicesFor(asked({ origin: 'http://app.example' })), NOW).until, '2026-03-02T00:00:00.000Z');
  t.equal(allowing(choicesFor(asked({ origin: 'http://localhost:81' })), NOW).until, '2026-03-31T00:00:00.000Z');
});

t.test('choices: without end, there is no end in the answer', async t => {
  const choices = choicesFor(asked());
  choices.duration = 'forever';
  t.notOk('until' in allowing(choices, NOW));
});

t.test('choices: some scanners, of which none is chosen, allow nothing', async t => {
  const choices = choicesFor(asked());
  t.ok(isComplete(choices));
  choices.all = false;
  t.notOk(isComplete(choices));
  choices.picked.add('A');
  t.ok(isComplete(choices));
  t.same(allowing(choices, NOW).scanners, ['A']);
});

t.test('choices: a no has no rights', async t => {
  t.same(refusing(choicesFor(asked({ may: ['scan', 'auto-scan'] }))), {
    id: '1',
    origin: 'https://app.example',
    may: [],
    scanners: '*',
  });
});

t.test('choices: a grant that is changed stays as it is, until the person says something else', async t => {
  const grant: Grant = {
    ...{ origin: 'https://app.example', may: ['scan', 'auto-scan'], scanners: ['A'], by: 'page' },
    until: '2026-05-01T00:00:00.000Z',
  };
  const { by: _, ...same } = grant;
  t.same(allowing(choicesOf(grant), NOW), same);
  const { until: __, ...forever } = grant;
  t.notOk('until' in allowing(choicesOf(forever), NOW));
  t.same(
    allowing(choicesOf({ ...forever, may: [] }), NOW),
    { origin: 'https://app.example', may: ['scan'], scanners: '*', until: '2026-03-31T00:00:00.000Z' },
    'a no becomes the least yes',
  );
});
