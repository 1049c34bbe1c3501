/**
 * Tries a plugin out before the service loads it: in a process of its own, whose rights are not an administrator's. It
 * has no terminal, and its process group ends with it. If root asks on Linux, so does all else that it started; elsewhere,
 * a process that leaves the group stays, as `nobody`.
 */
import { fileURLToPath } from 'node:url';
import { LOAD_DEADLINE_MS, startChild, type Contribution, type PluginReport } from '@platen/core';
import { platform } from '../../machine/platform.js';
import { systemTools } from '../../machine/tls/trust/tool.js';
import type { CheckAccount } from './checkAccount.js';
import { containedAs } from './contained.js';

type Report = Pick<PluginReport, 'state' | 'fault' | 'sentence' | 'lacks' | 'provides' | 'unused'>;

export interface TriedOut {
  readonly report: Report;
  /** The file that was imported; undefined if none was. */
  readonly file?: string | undefined;
}

export interface TryOutQuestion {
  readonly use: string;
  readonly configFile: string;
  readonly pluginsDir: string | undefined;
  /** Of its entry in the configuration. */
  readonly licence: string | undefined;
}

export type TryOutAnswer = { readonly ready: true } | { readonly warning: string } | TriedOut;

/** The loader's own deadlines for import and setup are within it. */
const LIMIT_MS = 2 * LOAD_DEADLINE_MS + 10_000;
const child = fileURLToPath(new URL('./tryOutChild.js', import.meta.url));

export interface TryOutOptions {
  readonly account: CheckAccount;
  readonly env: NodeJS.ProcessEnv;
  warn(message: string): void;
}

/** @returns undefined if its code did not run: no account may, or the account cannot read the server's own code */
export async function tryOut(
  question: TryOutQuestion,
  { account, env, warn }: TryOutOptions,
): Promise<TriedOut | undefined> {
  if (account === 'none') return undefined;
  const other = typeof account === 'object' ? account : undefined;
  const contained = other && (await containedAs(other, systemTools(env)));
  const running = startChild({
    command: contained?.command ?? process.execPath,
    args: contained ? [...contained.args, process.execPath, child] : [child],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: platform !== 'win32',
    ...(other ? { cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: '/' } } : { env }),
    // libuv drops all other groups with the account: setgroups(2).
    ...(contained ? {} : other),
  });
  let isReady = false;
  let answer: TriedOut | undefined;
  let why: string | undefined;
  const timer = setTimeout(() => {
    why = `was not ready after ${LIMIT_MS / 1000} s`;
    running.kill();
  }, LIMIT_MS);
  const own = running.process;
  own?.on('message', message => {
    if (isWarning(message)) warn(message.warning);
    else if (isAnswer(message)) answer ??= message;
    else isReady = true;
  });
  own?.on('error', () => undefined);
  if (own?.pid !== undefined) own.send(question, () => undefined);
  const { sentence } = await running.ended;
  clearTimeout(timer);
  if (answer) return answer;
  if (!isReady) return undefined;
  const { use } = question;
  return {
    report: {
      state: 'refused',
      fault: 'import',
      sentence: `The plugin "${use}" is not loaded: the process that loaded it ${why ?? sentence}.`,
      provides: [],
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value);

const isWarning = (message: unknown): message is { readonly warning: string } => isText(fieldsOf(message)['warning']);

/** The plugin runs in that process, and may send what it likes. */
function isAnswer(message: unknown): message is TriedOut {
  const { report, file } = fieldsOf(message);
  const { state, fault, sentence, lacks, provides } = fieldsOf(report);
  return (
    isText(state) &&
    [fault, sentence, lacks, file].every(isTextOrAbsent) &&
    Array.isArray(provides) &&
    provides.every((each: Partial<Contribution> | undefined) => isText(each?.kind) && isText(each?.id))
  );
}
