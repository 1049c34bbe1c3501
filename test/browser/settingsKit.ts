/** What tests of the page at /settings/ share: a service with a plugin that has options, and the command that may change them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { start } from '../spec/specTest.js';
import { runSettings } from '../topology/settingsCommand.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { launch } from './appPage.js';
import { PATIENCE_MS, problemsOf } from './chromium.js';

export const DESK = './desk.mjs';
export const FOREIGN = './foreign.mjs';

/** Groups in a group, a list of objects with a password, a choice, and a shape that no control shows. */
const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    hosts: {
      ...{ title: 'Hosts', type: 'array', items: { type: 'string', minLength: 1 } },
      description: 'Names or addresses of the desks in this network.',
    },
    seconds: {
      ...{ title: 'Patience', type: 'integer', minimum: 1, maximum: 60, default: 10, unit: 's' },
      description: 'A desk that does not answer for so long is left out.',
    },
    level: { title: 'Level', enum: ['low', 'normal', 'high'], default: 'normal' },
    token: { title: 'Token', type: 'string', minLength: 8, description: 'From the desk’s own page.' },
    accounts: {
      ...{ title: 'Accounts', type: 'array' },
      items: {
        ...{ type: 'object', additionalProperties: false, required: ['user'] },
        properties: { user: { title: 'User', type: 'string' }, password: { title: 'Password', type: 'string' } },
      },
    },
    paper: {
      ...{ title: 'Paper', type: 'object', additionalProperties: false, description: 'What lies on the desk.' },
      properties: {
        isThin: { title: 'Thin', type: 'boolean' },
        size: {
          ...{ title: 'Size', type: 'object', additionalProperties: false },
          properties: {
            width: { title: 'Width', type: 'number', unit: 'mm' },
            name: { title: 'Name', type: 'string' },
          },
        },
      },
    },
    rules: { title: 'Rules', type: 'object', description: 'Rules of the vendor.' },
  },
};

const pluginOf = (name: string, more: string): string => `export default {
  name: '${name}', api: 1, ${more}
  setup: ({ options }) => ({
    async find() {
      if (options.level === 'low') throw new Error('The desk is asleep.');
      return [
        { title: 'Desk 300 at 192.0.2.20', options: { hosts: ['192.0.2.20'] } },
        { title: 'Desk 500 at 192.0.2.21', options: { hosts: ['192.0.2.21'], level: 'high' } },
      ];
    },
  }),
};`;

export interface SettingsFixture extends Fixture {
  /** The plugin `DESK`, as that file has it. */
  readonly desk: string;
  /** The text of conf.d/80-plugins.json; undefined: there is no file. */
  written(): Promise<string | undefined>;
}

export interface SettingsOptions extends FixtureOptions {
  /** What the configuration has for the plugin. */
  readonly options?: object;
}

/** A service with the plugin `DESK`, another for no system, and the topology's scanners. */
export async function startSettings(t: Test, { options, ...more }: SettingsOptions = {}): Promise<SettingsFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-settings-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'conf.d'), { mode: 0o700 });
  await writeFile(join(folder, 'desk.mjs'), pluginOf('desk', `optionsSchema: ${JSON.stringify(optionsSchema)},`));
  await writeFile(join(folder, 'foreign.mjs'), pluginOf('foreign', `platforms: ['aix'],`));
  const plugins = [
    { use: FOREIGN },
    { use: DESK, ...(options && { options }) },
    { use: '@platen/format-png' },
    { use: '@platen/driver-virtual', options: { scanners: [{ name: 'Feeder', tray: 'trays/duplex' }] } },
  ];
  const fixture = await start(t, virtualTopology, { folder, config: { plugins }, ...more });
  return {
    ...fixture,
    desk: join(folder, 'desk.mjs'),
    written: () => readFile(join(folder, 'conf.d', '80-plugins.json'), 'utf8').catch(() => undefined),
  };
}

export interface OpenedSettings {
  readonly page: Page;
  readonly problems: string[];
}

/** The person's page, in a context of its own. */
export async function openSettings(
  t: Test,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedSettings> {
  const context = await (
    await launch(t)
  ).newContext({
    ...{ ignoreHTTPSErrors: true, locale: 'en', viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems = problemsOf(page);
  await page.goto(address);
  await page.locator('main[aria-busy="false"]').waitFor();
  return { page, problems };
}

/** A started service, with the page open and its plugin's card unfolded. */
export async function openDesk(
  t: Test,
  options: SettingsOptions = {},
  context: BrowserContextOptions = {},
): Promise<OpenedSettings & { readonly fixture: SettingsFixture; readonly card: Locator; readonly address: string }> {
  const fixture = await startSettings(t, options);
  const address = await runSettings(t, fixture);
  const opened = await openSettings(t, address, context);
  const card = opened.page.locator(`[data-plugin="${DESK}"]`);
  await card.locator('summary').click();
  return { ...opened, fixture, card, address };
}

/** Opens what would change. @returns the dialog */
export async function look(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Look at the changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/** The difference table: for each plugin its name, and its settings with what they are and will be. */
export const rowsOf = async (dialog: Locator): Promise<string[][]> =>
  Promise.all((await dialog.locator('tbody tr').all()).map(row => row.locator('td, th').allInnerTexts()));

/** Saves what the dialog shows, and waits until the page has the new state. */
export async function save(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('#said').getByText('Saved.').waitFor();
}
