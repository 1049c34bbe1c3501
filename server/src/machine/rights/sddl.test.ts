/** Access rights as Windows prints them; the texts are of Windows folders and of Microsoft's documentation. */
import t from 'tap';
import { parseSddl, READ, sids, WRITE } from './sddl.js';

const accounts = (text: string): readonly string[] => parseSddl(text).grants.map(({ account }) => account);

t.test('SDDL: the owner, and each account with what it may do', async t => {
  // %ProgramData% itself, as Windows sets it up.
  const { owner, grants } = parseSddl(
    'O:SYG:SYD:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;CI;DCLCRPCR;;;BU)(A;OICI;0x1200a9;;;BU)',
  );
  t.equal(owner, sids.SYSTEM);
  t.same(
    grants.map(({ account, inheritOnly, forFiles, forFolders }) => [account, inheritOnly, forFiles, forFolders]),
    [
      [sids.CREATOR, true, true, true],
      [sids.SYSTEM, false, true, true],
      [sids.ADMINISTRATORS, false, true, true],
      [sids.USERS, false, false, true],
      [sids.USERS, false, true, true],
    ],
  );
  t.equal(grants[3]?.rights, 0x2 | 0x4 | 0x10 | 0x100);
  t.equal((grants[4]?.rights ?? 0) & WRITE, 0);
  t.not((grants[4]?.rights ?? 0) & READ, 0);
});

t.test('SDDL: files alone inherit where NP is set', async t => {
  const [both, files] = parseSddl('D:(A;OIIO;FA;;;BU)(A;OINPIO;0x1301bf;;;BU)').grants;
  t.match(both, { forFiles: true, forFolders: true, inheritOnly: true });
  t.match(files, { forFiles: true, forFolders: false, inheritOnly: true });
});

t.test('SDDL: no list lets everyone do everything, an empty one nobody', async t => {
  for (const text of ['O:BAG:SY', 'O:BAD:NO_ACCESS_CONTROL']) {
    const { grants } = parseSddl(text);
    t.match(grants, [{ account: sids.EVERYONE, inheritOnly: false }], text);
    t.not((grants[0]?.rights ?? 0) & WRITE, 0);
  }
  t.same(parseSddl('O:BAD:P').grants, []);
});

t.test('SDDL: entries with a condition, audits, refusals, numbers', async t => {
  t.same(
    accounts('O:LSD:(XA;;FX;;;WD;(@User.Title=="PM" && (@User.Division=="Sales")))(A;;FA;;;BA)S:(AU;SAFA;FA;;;BU)'),
    [sids.EVERYONE, sids.ADMINISTRATORS],
  );
  t.same(accounts('D:AI(D;;FA;;;BU)(A;;FR;;;S-1-5-21-1-2-3-1001)'), ['S-1-5-21-1-2-3-1001']);
  t.same(accounts('D:(A;;FR;;;DU)'), ['DU'], 'an account of the domain has no SID of its own here');
  t.equal(parseSddl('D:(A;;1179817;;;BU)').grants[0]?.rights, 0x1200a9);
});
