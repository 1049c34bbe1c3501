/** Page at /settings/: the person for whom `platen settings` runs changes the options of plugins. */
import { needs } from '@platen/conformance';
import type { Locator } from 'playwright-core';
import t from 'tap';
import { runSettings } from '../topology/settingsCommand.js';
import { ofFocused, tabTo, violations } from './appPage.js';
import { needsPrivateEtc, withEtc } from './privateEtc.js';
import { DESK, FOREIGN, look, openDesk, openSettings, rowsOf, save, startSettings } from './settingsKit.js';

const SECRET = 'correct horse battery';
const FITS = `document.documentElement.scrollWidth <= document.documentElement.clientWidth`;

/** What a screen reader says of the control after its name. */
const describedBy = (control: Locator): Promise<string> =>
  control.evaluate(each => {
    const ids = (each.getAttribute('aria-describedby') ?? '').split(' ');
    return ids.map((id: string) => each.ownerDocument.getElementById(id)?.textContent ?? '').join(' ');
  });

t.test('page at /settings/: without a key, the command to run; with it, the plugins', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startSettings(t);
  const { page, problems } = await openSettings(t, `${fixture.url}/settings/`);
  await page.getByRole('alert').getByText('platen settings').waitFor();
  t.ok(await page.locator('#content').isHidden());
  t.same(await violations(page), []);

  const address = await runSettings(t, fixture);
  await page.goto(address);
  await page.locator(`[data-plugin="${DESK}"]`).waitFor();
  t.ok(await page.locator('#problem').isHidden());
  t.notMatch(page.url(), /key/, 'the key does not stay in the address');
  t.same(
    await page.locator('[data-plugin]').evaluateAll(all => all.map(each => each.getAttribute('data-plugin'))),
    [DESK, '@platen/format-png', '@platen/driver-virtual', FOREIGN],
    'in the order of the configuration; what is for no system like this comes last',
  );
  t.same(
    problems.filter(each => !each.includes('401')),
    [],
  );
});

t.test('page at /settings/: a list, a number and a secret are changed, looked at, and written', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, fixture, card } = await openDesk(t, { options: { hosts: ['one.example'] } });
  const hosts = card.getByRole('group', { name: 'Hosts' });
  await hosts.getByRole('button', { name: 'Add to Hosts' }).click();
  await hosts.getByRole('textbox', { name: 'Entry 2', exact: true }).fill('two.example');
  await card.getByLabel('Patience').fill('25');
  await card.getByLabel('Token').fill(SECRET);
  const accounts = card.getByRole('group', { name: 'Accounts' });
  await accounts.getByRole('button', { name: 'Add to Accounts' }).click();
  await accounts.getByLabel('User').fill('ada');
  await accounts.getByLabel('Password').fill(SECRET);
  await card.getByLabel('Level').selectOption('high');
  await card.getByRole('group', { name: 'Paper' }).getByRole('switch', { name: 'Thin' }).check();
  await card.getByRole('group', { name: 'Size' }).getByLabel('Width').fill('105.5');
  await card.getByLabel('Rules').fill('{ "a": [1, { "b"');
  await card.getByText('This is not valid JSON.').waitFor();
  await page.getByRole('button', { name: 'Look at the changes' }).click();
  t.ok(await card.getByLabel('Rules').evaluate(each => each.matches(':focus')), 'what is not finished comes first');
  t.notOk(await page.getByRole('dialog').isVisible());
  await card.getByLabel('Rules').fill('{ "a": [1, { "b": null }] }');
  t.equal(await page.locator('#count').textContent(), '7 changes');

  const dialog = await look(page);
  t.same(await rowsOf(dialog), [
    [DESK],
    ['Hosts', 'one.example', 'one.example\ntwo.example'],
    ['Patience', 'default', '25'],
    ['Token', 'default', '(hidden)'],
    ['Accounts', 'default', '[\n {\n  "user": "ada",\n  "password": "(hidden)"\n }\n]'],
    ['Level', 'default', 'high'],
    ['Paper', 'default', '{\n "isThin": true,\n "size": {\n  "width": 105.5\n }\n}'],
    ['Rules', 'default', '{\n "a": [\n  1,\n  {\n   "b": null\n  }\n ]\n}'],
  ]);
  t.equal(await fixture.written(), undefined, 'not before the person saves');
  await save(page, dialog);
  const options = {
    hosts: ['one.example', 'two.example'],
    seconds: 25,
    token: SECRET,
    accounts: [{ user: 'ada', password: SECRET }],
    level: 'high',
    paper: { isThin: true, size: { width: 105.5 } },
    rules: { a: [1, { b: null }] },
  };
  t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, options }] });

  await t.test('what is a secret is not shown, and stays if something else is changed', async t => {
    t.notMatch(await page.content(), SECRET);
    t.equal(await card.getByRole('textbox', { name: 'Token' }).inputValue(), '');
    await accounts.getByLabel('User').fill('grace');
    await save(page, await look(page));
    t.same(JSON.parse((await fixture.written()) ?? ''), {
      plugins: [{ use: fixture.desk, options: { ...options, accounts: [{ user: 'grace', password: SECRET }] } }],
    });
  });
  t.same(problems, []);
});

t.test('page at /settings/: a plugin is switched off and on', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, fixture, card } = await openDesk(t);
  const box = card.getByRole('switch', { name: `On ${DESK}` });
  await box.uncheck();
  const dialog = await look(page);
  t.same(await rowsOf(dialog), [[DESK], ['On', 'on', 'off']]);
  await save(page, dialog);
  t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, enabled: false }] });
  await card.locator('[data-state="disabled"]').waitFor();
  t.match((await fixture.request('GET', '/api/features')).status, 200);

  await box.check();
  await save(page, await look(page));
  t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, enabled: true }] });
  await card.locator('[data-state="loaded"]').waitFor();
  await card.getByLabel('Patience').waitFor();
  t.same(problems, []);
});

t.test('page at /settings/: a value that the schema refuses is named, and nothing is written', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, fixture, card } = await openDesk(t);
  await card.getByLabel('Patience').fill('61');
  const dialog = await look(page);
  const problem = dialog.locator('.problem').filter({ hasText: DESK });
  await problem.getByText('options.seconds').waitFor();
  t.ok(await dialog.getByRole('button', { name: 'Save' }).isHidden());
  await dialog.getByRole('button', { name: 'Back' }).click();
  t.equal(await fixture.written(), undefined);

  await t.test('so does what the service refuses only when it is saved', async t => {
    await card.getByLabel('Patience').fill('20');
    await look(page);
    await page.route('**/settings/save', route =>
      route.continue({ postData: JSON.stringify({ changes: [{ use: DESK, options: { seconds: 61 } }], digest: 'x' }) }),
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText(`${DESK}: `).waitFor();
    t.ok(await dialog.getByRole('button', { name: 'Save' }).isHidden());
    t.equal(await fixture.written(), undefined);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await page.unroute('**/settings/save');
  });

  await t.test('and what was changed meanwhile', async t => {
    await look(page);
    await page.route('**/settings/save', route =>
      route.continue({ postData: JSON.stringify({ changes: [{ use: DESK, options: { seconds: 30 } }], digest: 'x' }) }),
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('meanwhile').waitFor();
    t.equal(await fixture.written(), undefined);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await page.unroute('**/settings/save');
    await save(page, await look(page));
    t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, options: { seconds: 20 } }] });
    t.equal(await dialog.getByRole('alert').count(), 0, 'no refusal stays');
  });
});

t.test('page at /settings/: what a plugin found is added; Reset gives back what the other files have', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems, fixture, card } = await openDesk(t, { options: { hosts: ['one.example'] } });
  await card.getByRole('button', { name: 'Find…' }).click();
  await card.getByRole('button', { name: 'Use Desk 500 at 192.0.2.21' }).click();
  t.equal(await card.getByRole('textbox', { name: 'Entry 2', exact: true }).inputValue(), '192.0.2.21');
  t.equal(await card.getByLabel('Level').evaluate(each => (each as unknown as { value: string }).value), '2');
  await save(page, await look(page));
  const options = { hosts: ['one.example', '192.0.2.21'], level: 'high' };
  t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, options }] });

  await card.getByRole('button', { name: 'Reset Hosts' }).click();
  t.equal(await card.getByRole('button', { name: 'Reset Hosts' }).count(), 0);
  const dialog = await look(page);
  t.same(await rowsOf(dialog), [[DESK], ['Hosts', 'one.example\n192.0.2.21', 'one.example']]);
  await save(page, dialog);
  t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, options: { level: 'high' } }] });
  t.equal(await card.getByRole('textbox', { name: 'Entry 1', exact: true }).inputValue(), 'one.example');

  await card.getByLabel('Patience').fill('5');
  await page.getByRole('button', { name: 'Discard' }).click();
  t.equal(await card.getByLabel('Patience').inputValue(), '10');
  t.ok(await page.locator('#actions').isHidden());
  t.same(problems, []);
});

t.test('page at /settings/: a plugin that cannot look says why where the person asked', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, card } = await openDesk(t, { options: { level: 'low' } });
  await card.getByRole('button', { name: 'Find…' }).click();
  await card.locator('.finding .fault').getByText('The desk is asleep').waitFor();
  t.ok(await page.locator('#problem').isHidden());
});

t.test('page at /settings/: what a policy of the computer fixes is shown, and cannot be changed', async t => {
  if (!needs(t, 'chromium') || !needsPrivateEtc(t)) return;
  const policy = { plugins: [{ use: '@platen/format-png', enabled: true }] };
  const starter = await withEtc(t, process.execPath, { '/etc/platen/policy.json': JSON.stringify(policy) });
  const { page, problems } = await openDesk(t, { starter });
  const card = page.locator('[data-plugin="@platen/format-png"]');
  await card.locator('summary').click();
  const box = card.getByRole('switch');
  t.ok(await box.isDisabled());
  t.ok(await box.isChecked());
  await card.getByText('A policy of this computer fixes this.').waitFor();
  t.equal(await describedBy(box), 'A policy of this computer fixes this.');
  t.ok(await page.locator(`[data-plugin="${DESK}"]`).getByRole('switch').first().isEnabled());
  t.same(problems, []);
});

t.test('page at /settings/: with the keyboard alone', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startSettings(t);
  const { page, problems } = await openSettings(t, await runSettings(t, fixture));
  const card = page.locator(`[data-plugin="${DESK}"]`);
  const { keyboard } = page;
  t.ok(await tabTo(page, card.locator('summary')));
  await keyboard.press('Enter');
  t.ok(await tabTo(page, card.getByRole('button', { name: 'Add to Hosts' })));
  await keyboard.press('Enter');
  t.ok(await tabTo(page, card.getByRole('textbox', { name: 'Entry 1', exact: true }), 1), 'it is in the new entry');
  await keyboard.type('one.example');
  t.ok(await tabTo(page, card.getByLabel('Patience')));
  await keyboard.press('ArrowUp');
  t.ok(await tabTo(page, page.getByRole('button', { name: 'Look at the changes' })));
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading').and(page.locator(':focus')).waitFor();
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await ofFocused(page, '.id'), 'look', 'the focus is where it was');
  await keyboard.press('Enter');
  t.ok(await tabTo(page, dialog.getByRole('button', { name: 'Save' })));
  await keyboard.press('Enter');
  await page.locator('#said').getByText('Saved.').waitFor();
  const options = { hosts: ['one.example'], seconds: 11 };
  t.same(JSON.parse((await fixture.written()) ?? ''), { plugins: [{ use: fixture.desk, options }] });
  t.equal(await ofFocused(page, '.id'), 'main');

  t.ok(await tabTo(page, card.getByRole('button', { name: 'Remove Hosts, Entry 1' })));
  await keyboard.press('Enter');
  t.equal(await ofFocused(page, '.tagName'), 'BUTTON', 'the focus is not lost when its entry goes');
  t.same(problems, []);
});

t.test('page at /settings/: every form of it', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startSettings(t, { options: { hosts: ['one.example'], accounts: [{ user: 'ada' }] } });
  const address = await runSettings(t, fixture);
  for (const [locale, width, colorScheme] of [
    ['en', 1100, 'light'],
    ['de', 400, 'dark'],
    ['ar', 400, 'light'],
  ] as const)
    await t.test(`${locale}, ${width} px, ${colorScheme}`, async t => {
      const { page, problems } = await openSettings(t, address, {
        ...{ locale, colorScheme, viewport: { width, height: 800 } },
      });
      const shown = async (what: string): Promise<void> => {
        t.same(await violations(page), [], what);
        t.ok(await page.evaluate(FITS), `${what}: no element is wider than the window`);
      };
      t.equal(await page.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr');
      await shown('closed');
      const card = page.locator(`[data-plugin="${DESK}"]`);
      await card.locator('summary').click();
      await card.locator('.finding > button').click();
      await card.locator('.found button').last().click();
      await card.locator('.finding > button').click();
      await card.locator('.found').waitFor();
      await card.locator('input[type="number"]').first().fill('0');
      await shown('open');
      t.same(
        await page
          .locator('[aria-describedby]')
          .evaluateAll(all =>
            all.filter(each =>
              (each.getAttribute('aria-describedby') ?? '')
                .split(' ')
                .some((id: string) => !each.ownerDocument.getElementById(id)),
            ),
          ),
        [],
        'what describes a control is there',
      );
      await page.locator('#look').click();
      await page.locator('dialog .problem').first().waitFor();
      await shown('dialog');
      t.same(problems, []);
    });
});
