import t from 'tap';
import { fakeTools } from './fakes.test.kit.js';
import { trustStores } from './stores.js';

const names = async (given: Parameters<typeof trustStores>[1], home: string): Promise<[string[], string[]]> => {
  const { all, chosen } = await trustStores({ HOME: home }, given);
  return [all.map(each => each.name), chosen.map(each => each.name)];
};

t.test('stores: each operating system has its own', async t => {
  const home = t.testdir();
  const windows = ['the Root store of this computer', 'the Root store of this account'];
  t.same(await names({ platform: 'win32', tools: fakeTools() }, home), [windows, windows.slice(1)]);
  const macos = ['the System keychain', 'the login keychain of this account'];
  t.same(await names({ platform: 'darwin', root: true, tools: fakeTools() }, home), [macos, macos.slice(0, 1)]);
  const linux = [/^the system's certificates in \/etc\/ssl\/certs$/, /^Chromium's database .*nssdb$/];
  t.match(
    await names({ platform: 'linux', root: false, browses: true, tools: fakeTools({ certutil: undefined }) }, home),
    [linux, linux],
  );
});

t.test('stores: a server without browsers lacks nothing', async t => {
  const [bare] = await names(
    { platform: 'linux', root: true, browses: true, tools: fakeTools({ certutil: undefined }) },
    t.testdir(),
  );
  t.equal(bare.length, 1);
  const [browsing] = await names({ platform: 'linux', root: true, browses: true, tools: fakeTools() }, t.testdir());
  t.equal(browsing.length, 2);
});

t.test("stores: a service's account has no browser, except one that it used", async t => {
  const home = t.testdir();
  const service = { platform: 'linux', root: false, browses: false, tools: fakeTools() } as const;
  const [system] = await names(service, home);
  t.same(system, ["the system's certificates in /etc/ssl/certs"]);
  const used = t.testdir({ '.pki': { nssdb: { 'cert9.db': '' } } });
  const [all] = await names(service, used);
  t.equal(all.length, 2);
});
