/** The meaning of Windows' access rights for code, from the SDDL of real folders; needs no Windows. */
import t from 'tap';
import { windowsDangers } from './windowsCodeAccess.js';

const us = 'S-1-5-21-1-2-3-1001';
const system = 'O:S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464G:SYD:PAI';
/** The default of a drive's root: any account may add folders, and may write new entries there. */
const disk = `${system}(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)(A;OICIIO;SDGXGWGR;;;AU)(A;;LC;;;AU)`;
const programFiles = `${system}(A;;FA;;;S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)(A;;0x1301bf;;;SY)(A;OICIIO;GA;;;SY)(A;;0x1301bf;;;BA)(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)(A;OICIIO;GA;;;CO)`;
const ours = `O:${us}G:${us}D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${us})`;
const made = `O:BAG:SYD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)`;

/** @param rights of paths other than a drive's root */
async function dangers(files: readonly string[], rights: Readonly<Record<string, string>>, forAll = false) {
  const calls: string[] = [];
  const found = await windowsDangers(files, {
    forAll,
    env: { SystemRoot: 'D:\\Win' },
    async run(program, _args, env) {
      calls.push(program);
      if (program.endsWith('whoami.exe')) return `"büro\\anna","${us}"\r\n`;
      return (env?.['PLATEN_PATHS'] ?? '')
        .split('|')
        .map(path => rights[path] ?? (/^\w:\\$/.test(path) ? disk : ours))
        .join('\r\n');
    },
  });
  return { found, calls };
}

t.test('Windows code access: one call for all paths, by full names; accepts the usual places', async t => {
  const files = [
    'C:\\Program Files\\Platen\\node_modules\\@platen\\core\\index.js',
    'C:\\Users\\anna\\platen.json',
    'C:\\Users\\anna\\missing.json',
  ];
  const { found, calls } = await dangers(files, {
    'C:\\Program Files': programFiles,
    'C:\\Users': programFiles,
    'C:\\Users\\anna\\missing.json': '-',
  });
  t.same(found, [undefined, undefined, undefined]);
  t.same(calls, ['D:\\Win\\System32\\whoami.exe', 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe']);
});

t.test('Windows code access: PowerShell loads its own modules, whatever started us', async t => {
  let given: NodeJS.ProcessEnv = {};
  await windowsDangers(['C:\\x.js'], {
    env: { SystemRoot: 'D:\\Win', psmodulepath: 'C:\\Program Files\\PowerShell\\7\\Modules', OTHER: 'kept' },
    async run(program, _args, env = {}) {
      if (program.endsWith('whoami.exe')) return us;
      given = env;
      return `${ours}\r\n${disk}`;
    },
  });
  t.match(given, { PSModulePath: 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\Modules', OTHER: 'kept' });
  t.notOk('psmodulepath' in given);
});

t.test('Windows code access: a path that others may write or replace, named with the account and the fix', async t => {
  const file = 'C:\\Platen\\node_modules\\@acme\\driver\\index.js';
  for (const [path, sddl, account] of [
    ['C:\\Platen', made, 'S-1-5-11'],
    ['C:\\Platen\\node_modules', `${ours}(A;;LC;;;BU)`, 'S-1-5-32-545'],
    ['C:\\Platen\\node_modules\\@acme\\driver', `${ours}(A;;FW;;;WD)`, 'S-1-1-0'],
    [file, `${ours}(A;;0x2;;;S-1-5-21-1-2-3-1002)`, 'S-1-5-21-1-2-3-1002'],
    ['C:\\Platen', `${ours}(A;;DT;;;BU)`, 'S-1-5-32-545'],
  ] as const) {
    const { found } = await dangers([file], { [path]: sddl });
    t.ok(found[0]?.startsWith(`${path} is writable by other accounts (${account})`), `${path} ${sddl}: ${found[0]}`);
    t.match(found[0], /icacls/);
  }
  const owned = (await dangers([file], { [file]: ours.replace(us, 'S-1-5-21-1-2-3-1002') })).found;
  t.match(
    owned,
    [/belongs to another account \(S-1-5-21-1-2-3-1002\).*\/setowner/],
    'an owner may give itself every right',
  );
  t.same(
    (await dangers([file], { 'C:\\Platen': `${ours}(A;;LC;;;AU)(D;;FA;;;WD)(A;OICIIO;GA;;;WD)(A;;0x1200a9;;;BU)` }))
      .found,
    [undefined],
    'adding beside it, being denied, inheriting and reading are no danger',
  );
});

t.test('Windows code access: for code that others run too, this account is another', async t => {
  const file = 'C:\\Users\\anna\\npm\\x.exe';
  const { found } = await dangers([file], { 'C:\\Users': programFiles, 'C:\\Users\\anna': programFiles }, true);
  t.match(found, [/belongs to another account \(S-1-5-21-1-2-3-1001\)/]);
  const own = `${system}(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${us})`;
  t.match((await dangers([file], { [file]: own, 'C:\\Users': programFiles }, true)).found, [
    /is writable .*administrators/,
  ]);
  const parents = { 'C:\\Program Files': programFiles, 'C:\\Program Files\\x.exe': programFiles };
  t.same((await dangers(['C:\\Program Files\\x.exe'], parents, true)).found, [undefined]);
});

t.test('Windows code access: unreadable rights, throws', async t => {
  await t.rejects(dangers(['C:\\a\\x.js'], { 'C:\\a': '?' }), { message: /C:\\a$/ }, 'a path that is there');
  await t.rejects(windowsDangers(['C:\\x.js'], { run: async () => `"a","${us}"` }));
  await t.rejects(windowsDangers(['C:\\x.js'], { run: async () => Promise.reject(new Error('not found')) }));
});
