/** Promise 10: the driver's own options. */
import assert from 'node:assert/strict';
import type { DriverOptionValue } from '@platen/core/driver';
import { codeOf, messageOf, type DriverOption, type Source } from '@platen/core/plugin';
import { thrownBy, wordsOf } from './expect.js';
import { onePage } from './onePage.js';
import { onSession, type DriverCase, type Trial } from './trial.js';

const needsOptions: DriverCase['skip'] = features =>
  features.driverOptions ? undefined : 'the driver has no options of its own';

export const optionCases: readonly DriverCase[] = [
  {
    id: '10-options-are-accepted-at-their-defaults',
    title: 'each option that a source lists is accepted with its default',
    skip: needsOptions,
    run: onSession(async trial => {
      for (const [source, option] of listed(trial))
        if (option.default !== undefined)
          await onePage(trial, source, { driverOptions: { [option.name]: option.default } });
    }),
  },
  {
    id: '10-unknown-option-is-unsupported',
    title: 'an option that is not listed, or reserved, is unsupported, with its name, and nothing is fed',
    skip: needsOptions,
    run: onSession(async trial => {
      const [source] = listed(trial)[0]!;
      await refused(trial, source, 'no-such-option', 1);
      for (const { name } of trial.capabilities[source]?.reservedOptions ?? []) await refused(trial, source, name, 1);
    }),
  },
  {
    id: '10-wrong-value-is-unsupported',
    title: 'a value that an option does not take is unsupported, with its name, and nothing is fed',
    skip: needsOptions,
    run: onSession(async trial => {
      for (const [source, option] of listed(trial)) await refused(trial, source, option.name, wrongFor(option));
    }),
  },
];

function listed({ capabilities }: Trial): [Source, DriverOption][] {
  return Object.entries(capabilities).flatMap(([source, { driverOptions = [] }]) =>
    driverOptions.map((option): [Source, DriverOption] => [source as Source, option]),
  );
}

/** Of another type, or beyond the range. */
function wrongFor({ type, maximum, minimum, values }: DriverOption): DriverOptionValue {
  if (type === 'boolean') return 'maybe';
  if (type === 'string') return values ? 'no such value' : 7;
  if (maximum !== undefined) return maximum + 1;
  if (minimum !== undefined) return minimum - 1;
  return 'many';
}

async function refused(trial: Trial, source: Source, name: string, value: DriverOptionValue): Promise<void> {
  const before = source === 'feeder' ? await loaded(trial) : undefined;
  const what = `a scan with the option ${name}: ${JSON.stringify(value)}`;
  const error = await thrownBy(
    trial.scan({ source, sheets: 1, driverOptions: { [name]: value } }).rest(),
    `${what} should fail with unsupported`,
  );
  assert.equal(codeOf(error), 'unsupported', `${what} should fail with unsupported, but failed: ${wordsOf(error)}`);
  assert.ok(
    messageOf(error).includes(name),
    `${what} should fail with a message that names ${name}: ${wordsOf(error)}`,
  );
  if (before !== undefined)
    assert.equal(await trial.remaining(), before, `${what} was refused, but the sheet was fed before`);
}

/** Loads a sheet unless one is left from the refusal before. */
async function loaded(trial: Trial): Promise<number> {
  if ((await trial.remaining()) === 0) await trial.rig.load(1);
  return trial.remaining();
}
