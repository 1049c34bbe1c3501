import t from 'tap';
import { machineIdOf, type Surroundings } from './machineId.js';

const tools = (answers: Readonly<Record<string, string>>): Surroundings['tools'] => ({
  run: async program => {
    const said = answers[program.split(/[/\\]/).at(-1) ?? ''];
    return said === undefined ? undefined : { code: 0, said };
  },
  withFile: () => {
    throw new Error('not here');
  },
});
const files = (held: Readonly<Record<string, string>>) => async (file: string) => {
  const text = held[file];
  if (text === undefined) throw new Error('ENOENT');
  return text;
};
const id = '0123456789abcdef0123456789abcdef';

t.test('machine id: the same for the same system id, without that id in it', async t => {
  const one = await machineIdOf({ platform: 'linux', read: files({ '/etc/machine-id': `${id}\n` }) });
  t.equal(one, await machineIdOf({ platform: 'linux', read: files({ '/var/lib/dbus/machine-id': id }) }));
  t.match(one, /^[0-9a-f]{32}$/);
  t.not(one, id);
  t.equal(one, '5abe80af45a374489eca266c167e6fca', 'a licence that was signed stays valid');
});

t.test('machine id: Windows and macOS', async t => {
  const uuid = '01234567-89AB-CDEF-0123-456789ABCDEF';
  const windows = await machineIdOf({
    platform: 'win32',
    env: {},
    tools: tools({ 'reg.exe': `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\r\n    MachineGuid    REG_SZ    ${uuid}\r\n` }),
  });
  const mac = await machineIdOf({ platform: 'darwin', tools: tools({ ioreg: `  "IOPlatformUUID" = "${uuid}"\n` }) });
  t.match(windows, /^[0-9a-f]{32}$/);
  t.equal(windows, mac);
});

t.test('machine id: none, if the system has none or it is no id', async t => {
  for (const text of ['', 'uninitialized\n', 'abc']) {
    const read = files({ '/etc/machine-id': text });
    t.equal(await machineIdOf({ platform: 'linux', read }), undefined, text);
  }
  t.equal(await machineIdOf({ platform: 'linux', read: files({}) }), undefined);
  for (const platform of ['win32', 'darwin'] as const)
    t.equal(await machineIdOf({ platform, env: {}, tools: tools({}) }), undefined, platform);
});
