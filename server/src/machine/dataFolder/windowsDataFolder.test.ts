/** Who may use the data folder on Windows, from the access rights of such folders; needs no Windows. */
import t from 'tap';
import { windowsDataFolderFault } from './windowsDataFolder.js';

const dir = 'C:\\ProgramData\\Platen\\data';
const anna = 'S-1-5-21-1-2-3-1001';
const people = 'S-1-5-21-1-2-3-1005';
const service = 'O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;LS)';
/** As docs/desktop-application.md grants them: (RX,WD) and (OI)(IO)(NP)M. */
const scans = (account: string): string => `(A;;0x1200ab;;;${account})(A;OINPIO;0x1301bf;;;${account})`;
const shared = `${service}${scans(people)}`;
const own = `O:${anna}G:${anna}D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${anna})`;

/** @param us the account that asks: LOCAL SERVICE when absent @param secret the rights of channel.secret */
function fault(folder: string, { us = 'S-1-5-19', secret = '-' } = {}): Promise<string | undefined> {
  return windowsDataFolderFault(dir, {
    run: async program => (program.endsWith('whoami.exe') ? `"a","${us}"\r\n` : `${folder}\r\n${secret}\r\n`),
  });
}

t.test('Windows data folder: a private one, and one of a service and of people who scan, are accepted', async t => {
  t.equal(await fault(own, { us: anna }), undefined);
  t.equal(await fault(shared, { secret: `${shared}(A;ID;0x1301bf;;;${people})` }), undefined);
  t.equal(await fault(shared, { us: anna }), undefined, 'the same for the desktop application');
  t.equal(await fault(`${service}${scans('IU')}`), undefined, 'everyone who is logged on at the computer');
  t.equal(await fault(`${service}(A;OICI;FA;;;S-1-5-80-1-2-3-4-5)`), undefined, 'an account of a service only');
});

t.test('Windows data folder: another owner is rejected', async t => {
  for (const [folder, us] of [
    [own, 'S-1-5-19'],
    [own, 'S-1-5-18'],
    [own, 'S-1-5-21-1-2-3-1002'],
  ] as const) {
    t.match(await fault(folder, { us }), `(${anna})`);
    t.match(await fault(folder, { us }), `icacls "${dir}" /setowner "*S-1-5-32-544"`);
  }
});

t.test('Windows data folder: who may do too much is named, with the commands that fix it', async t => {
  for (const [name, entries, account, what] of [
    ['made in %ProgramData%', '(A;CIID;DCLCRPCR;;;BU)(A;OICIID;0x1200a9;;;BU)', 'S-1-5-32-545', /add to it/],
    ['modify for people', `(A;OINP;0x1301bf;;;${people})`, people, /replace or rename/],
    ['new folders', `(A;;LC;;;${people})`, people, /add to it/],
    ['delete', `(A;;DT;;;${people})`, people, /replace or rename/],
    ['the rights themselves', `(A;;WD;;;${people})`, people, /replace or rename/],
    ['the folders in it', `(A;OICIIO;0x1200a9;;;${people})`, people, /folders in it/],
    ['files of folders in it', `(A;OIIO;FA;;;${people})`, people, /folders in it/],
    ['readable secrets', '(A;OINPIO;FR;;;AU)', 'S-1-5-11', /read new files/],
    ['new files by everyone', '(A;;DC;;;WD)', 'S-1-1-0', /add to it/],
  ] as const) {
    const said = await fault(`${service}${entries}`);
    t.match(said, new RegExp(`account ${account} may`), name);
    t.match(said, what, name);
    t.match(said, `icacls "${dir}" /inheritance:r /grant:r "*S-1-5-18:(OI)(CI)F"`);
    t.match(said, `icacls "${dir}" /remove:g "*${account}"`);
    t.match(said, '"*S-1-5-19:(OI)(CI)F"', 'the service keeps its own');
  }
  t.match(await fault('O:BAD:NO_ACCESS_CONTROL'), /account S-1-1-0 may/);
});

t.test('Windows data folder: the commands give people who scan what they need, and others nothing', async t => {
  const grant = `icacls "${dir}" /grant "*${people}:(RX,WD)" "*${people}:(OI)(IO)(NP)M"`;
  t.match(await fault(`${service}(A;OICI;FA;;;${people})`), grant);
  t.notMatch(await fault(`${service}(A;OICI;FA;;;BU)`), '/grant "');
  t.match(await fault(`${own}(A;OICI;FA;;;BU)`, { us: anna }), `"*${anna}:(OI)(CI)F"`, 'a folder of ones own');
});

t.test('Windows data folder: a secret that every account can read is rejected', async t => {
  for (const secret of [`${shared}(A;;FR;;;BU)`, `${own}(A;ID;0x1200a9;;;WD)`]) {
    const said = await fault(shared, { secret });
    t.match(said, `del "${dir}\\channel.secret"`);
    t.match(said, /account S-1-(?:1-0|5-32-545)/);
  }
});

t.test('Windows data folder: unreadable rights, throws', async t => {
  await t.rejects(fault('-'));
  await t.rejects(windowsDataFolderFault(dir, { run: async () => `"a","${anna}"` }));
});
