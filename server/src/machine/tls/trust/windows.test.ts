import t from 'tap';
import { certificate, fakeTools } from './fakes.test.kit.js';
import { windowsStores } from './windows.js';

const certutil = 'W:\\System32\\certutil.exe';
const whoami = 'W:\\System32\\whoami.exe /groups /fo csv /nh';
const env = { SystemRoot: 'W:' };
const A = certificate('A');
const high = '"Mandatory Label\\High Mandatory Level","Label","S-1-16-12288",""';
const medium = '"Mandatory Label\\Medium Mandatory Level","Label","S-1-16-8192",""';

t.test("Windows: an account that is not an administrator cannot remove it from the computer's Root store", async t => {
  const tools = fakeTools({ [whoami]: medium });
  const {
    all: [machine],
  } = await windowsStores(tools, env);
  await t.rejects(async () => machine?.remove(A), {
    code: 'trust',
    fault: 'administrator',
    message: /administrator rights.*platen cert remove/,
  });
  t.same(tools.calls, [whoami, `${certutil} -store Root ${A.sha1}`], 'and does not try');
});

t.test('Windows: the person answers no, or certutil is missing', async t => {
  const refused = fakeTools({
    [`${certutil} -user -addstore`]: { code: 2147943623, said: 'CertUtil: The operation was canceled\r\nby the user.' },
  });
  await t.rejects(async () => (await windowsStores(refused, env)).chosen[0]?.add([A]), {
    fault: 'failed',
    message: `"${certutil} -user -addstore Root FILE" failed with code 2147943623: CertUtil: The operation was canceled by the user.`,
  });
  const without = fakeTools({ [certutil]: undefined, [whoami]: undefined });
  const {
    chosen: [user],
  } = await windowsStores(without, env);
  await t.rejects(async () => user?.add([A]), {
    fault: 'no-tool',
    message: /program W:\\System32\\certutil\.exe is not installed/,
  });
  t.equal(await user?.trusted(A), false);
});

t.test('Windows: an administrator or the system installs for the computer', async t => {
  for (const groups of [high, '"x","Label","S-1-16-16384",""']) {
    const tools = fakeTools({ [whoami]: groups });
    const {
      all: [machine, user],
      chosen,
    } = await windowsStores(tools, env);
    t.same(chosen, [machine]);
    await machine?.add([A]);
    t.equal(await machine?.trusted(A), true);
    t.equal(await machine?.remove(A), true);
    t.same(tools.calls.slice(1), [
      `${certutil} -addstore -f Root FILE`,
      `${certutil} -store Root ${A.sha1}`,
      `${certutil} -store Root ${A.sha1}`,
      `${certutil} -delstore Root ${A.sha1}`,
    ]);
    t.equal(user?.name, 'the Root store of this account');
  }
});

t.test('Windows: any other account installs for itself', async t => {
  const tools = fakeTools({ [whoami]: medium, [`${certutil} -store`]: 2148073489 });
  const {
    all: [, user],
    chosen,
  } = await windowsStores(tools, env);
  t.same(chosen, [user]);
  await user?.add([A]);
  t.equal(await user?.remove(A), true);
  t.same(tools.calls.slice(1), [
    `${certutil} -user -addstore Root FILE`,
    `${certutil} -user -store Root ${A.sha1}`,
    `${certutil} -store Root ${A.sha1}`,
    `${certutil} -user -delstore Root ${A.sha1}`,
  ]);
});

t.test("Windows: skips an absent certificate; the account does not remove the computer's", async t => {
  const nowhere = fakeTools({
    [whoami]: high,
    [`${certutil} -store`]: 2148073489,
    [`${certutil} -user -store`]: 2148073489,
  });
  for (const store of (await windowsStores(nowhere, env)).all) t.equal(await store.remove(A), false);
  const merged = fakeTools({ [whoami]: medium });
  t.equal(await (await windowsStores(merged, env)).all[1]?.remove(A), false);
  t.notOk([...nowhere.calls, ...merged.calls].some(each => each.includes('delstore')));
});

t.test('Windows: without SystemRoot, uses the default folder', async t => {
  const tools = fakeTools();
  await windowsStores(tools, {});
  t.match(tools.calls, [/^C:\\Windows\\System32\\whoami\.exe /]);
});
