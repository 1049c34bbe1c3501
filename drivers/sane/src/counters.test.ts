/** Counters: which options are read, and what becomes of them. */
import t from 'tap';
import { createCounters } from './counters.js';
import type { Descriptor } from './handle.js';
import type { OptionSet } from './options/optionSet.js';

const option = (name: string, more: Partial<Descriptor> = {}): Descriptor => ({
  ...{ index: 1, name, title: '', description: '', type: 'int', unit: 'none', count: 1, constraint: null },
  ...{ active: true, settable: false, readable: true, ...more },
});

/** Options of an open device; every other call fails. */
function optionsOf(descriptors: readonly Descriptor[], values: Readonly<Record<string, unknown>>): OptionSet {
  const get = async (name: string): Promise<unknown> => {
    if (values[name] instanceof Error) throw values[name];
    return values[name];
  };
  return { descriptors, get } as Partial<OptionSet> as OptionSet;
}

t.test('counters: of read-only options, as they were when the device was open last', async t => {
  const { read, health } = createCounters();
  t.strictSame(health(), { state: 'ok', facts: [] });
  const descriptors = [
    option('roller-counter', { title: 'Roller Counter' }),
    option('page-count'),
    option('lamp-hours'),
    option('firmware', { type: 'string' }),
    option('counter-reset', { type: 'button', readable: false }),
    option('roller-mode', { settable: true }),
    option('fault-count'),
    option('idle-count', { active: false }),
    option('resolution'),
    option('countdown'),
  ];
  const values = {
    'roller-counter': 12,
    'page-count': 90,
    'lamp-hours': 1.5,
    firmware: ' ',
    'fault-count': new Error(),
  };
  await read('Desk', optionsOf(descriptors, values));
  await read('Hall', optionsOf([option('resolution')], {}));
  const device = 'Desk';
  t.strictSame(health().facts, [
    { name: 'roller_counter', value: 12, device, metric: 'gauge', title: 'Roller Counter' },
    { name: 'page_counter', value: 90, device, metric: 'gauge' },
    { name: 'lamp_hours', value: 1.5, device, metric: 'gauge' },
  ]);
  await read('Desk', optionsOf(descriptors, { ...values, 'roller-counter': 0, firmware: '4.1' }));
  t.match(health().facts, [{ value: 0 }, {}, {}, { name: 'firmware', value: '4.1', metric: undefined }]);
});
