/** The commands for Windows' own programs; test/twain runs them under Wine. */
import t from 'tap';
import { keepToUs } from './windowsAccess.js';

const dir = 'C:\\ProgramData\\Platen\\new';
const env = { SystemRoot: 'D:\\Win' };

function fake(answers: Readonly<Record<string, string | Error>>) {
  const calls: string[][] = [];
  return {
    calls,
    run: async (program: string, args: readonly string[]) => {
      calls.push([program, ...args]);
      const answer = answers[program.split('\\').at(-1) ?? ''] ?? '';
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

t.test('keepToUs: grants this account, the system and administrators, and removes inherited rights', async t => {
  const { calls, run } = fake({ 'whoami.exe': '"büro\\anna","S-1-5-21-1-2-3-1001"\r\n' });
  await keepToUs(dir, [], env, run);
  t.same(calls, [
    ['D:\\Win\\System32\\whoami.exe', '/user', '/fo', 'csv', '/nh'],
    [
      'D:\\Win\\System32\\icacls.exe',
      dir,
      '/inheritance:r',
      '/grant:r',
      '*S-1-5-21-1-2-3-1001:(OI)(CI)F',
      '*S-1-5-18:(OI)(CI)F',
      '*S-1-5-32-544:(OI)(CI)F',
    ],
  ]);
  const named = fake({ 'whoami.exe': 'VM\\root\r\n' });
  await keepToUs(dir, ['S-1-5-19'], env, named.run);
  t.equal(named.calls[1]?.[4], 'VM\\root:(OI)(CI)F');
  t.equal(named.calls[1]?.at(-1), '*S-1-5-19:(OI)(CI)RX', 'the service reads');
});

t.test('keepToUs: fails if access cannot be restricted', async t => {
  for (const answers of [
    { 'whoami.exe': 'VM\\root', 'icacls.exe': new Error('Z:\\: The request is not supported.') },
    { 'whoami.exe': new Error('The request is not supported.') },
  ]) {
    await t.rejects(keepToUs(dir, [], env, fake(answers).run), {
      name: 'ConfigError',
      message:
        /Could not restrict access to .*Platen\\new .*\(.*The request is not supported\.\)\. Set PLATEN_DATA_DIR to a folder on an NTFS drive\.$/,
    });
  }
  await t.rejects(keepToUs(dir, [], env, fake({}).run), { message: /whoami did not print the account/ });
});
