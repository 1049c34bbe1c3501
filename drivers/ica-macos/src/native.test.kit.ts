/** Shared by the tests of the helper's verbs: calls to the helper alone, under AddressSanitizer and UBSan. */
import type { Test } from 'tap';
import { createHelper, type Frame, type Helper } from '@platen/driver-kit';
import { bodyOf, simulation } from './rig.test.kit.js';

const deadlineMs = 60_000;
/** Of a helper under AddressSanitizer whose scanners are in this folder. */
export const env = (root: string) => ({ ...process.env, PLATEN_ICA_SIMULATION: root, ASAN_OPTIONS: 'detect_leaks=0' });

export interface Native {
  readonly helper: Helper;
  readonly events: Frame['header'][];
  ask(verb: string, args?: object, onMore?: (frame: Frame) => void): Promise<Frame['header']>;
  /** The status of its refusal. */
  refused(verb: string, args?: object): Promise<unknown>;
}

/** A helper that browses and, unless told otherwise, has the simulated scanner open. */
export async function nativeFor(t: Test, is: string, sheets = 0, opened = true, files = {}): Promise<Native> {
  const body = await bodyOf({ is, files });
  await body.load(sheets);
  const log = { debug() {}, info() {}, warn: (message: string) => t.fail(message), error() {} };
  const helper = createHelper({ name: 'ica', command: simulation(true), env: env(body.root), log });
  t.teardown(async () => {
    await helper.close();
    await body.dispose();
  });
  const events: Frame['header'][] = [];
  const ask: Native['ask'] = async (verb, args = {}, onMore) =>
    (await helper.call(verb, args, { deadlineMs, ...(onMore && { onMore }) })).header;
  const refused: Native['refused'] = (verb, args) =>
    ask(verb, args).then(
      () => 'ok',
      (error: { status?: unknown }) => error.status,
    );
  const found = new Promise<void>(resolve => {
    void helper
      .call(
        'events',
        {},
        {
          deadlineMs: 60_000,
          onMore: ({ header }) => void (events.push(header), header['event'] === 'enumerated' && resolve()),
        },
      )
      .catch(() => undefined);
  });
  await ask('browse');
  await found;
  if (opened) {
    await ask('open', { device: 'desk' });
    await ask('ready');
  }
  return { helper, events, ask, refused };
}
