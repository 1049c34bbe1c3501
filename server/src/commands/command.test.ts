/** What every command does with its flags. */
import t from 'tap';
import type { Io } from '../machine/io.js';
import { command } from './command.js';

function typing() {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = { out: line => void out.push(line), err: line => void err.push(line), env: {}, cwd: '/' };
  return { io, out, err };
}

const greet = command(
  { help: 'platen greet', exits: ['noPaper'], options: { name: { type: 'string' } }, allowPositionals: true },
  async ({ values, positionals, io }, mark: string) => {
    if (positionals.length > 0) return 'usage';
    io.out(`${values.name}${mark}`);
    return 8;
  },
);

t.test('command: its flags, its exit code, what else it is passed', async t => {
  const { io, out } = typing();
  t.equal(await greet(['--name', 'Eve'], io, '!'), 8);
  t.same(out, ['Eve!']);
});

t.test('command: --help and -h, with the exit codes that it has', async t => {
  for (const flag of ['--help', '-h']) {
    const { io, out, err } = typing();
    t.equal(await greet(['word', flag], io, ''), 0);
    t.same(err, []);
    t.equal(out.length, 1);
    t.same(out[0]?.match(/^ +\d+/gm), ['  0', '  1', '  2', '  8']);
  }
});

t.test('command: wrong words, its help on standard error; an unknown flag is thrown', async t => {
  const { io, out, err } = typing();
  t.equal(await greet(['word'], io, ''), 2);
  t.same(out, []);
  t.match(err, [/^platen greet\n/]);
  await t.rejects(greet(['--what'], io, ''), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
});

t.test('command: what is typed is rewritten first', async t => {
  const spelt = command(
    { help: '', exits: [], options: { n: { type: 'string' } }, spell: args => args.map(arg => `--n=${arg}`) },
    async ({ values }) => Number(values.n),
  );
  t.equal(await spelt(['7'], typing().io), 7);
});
