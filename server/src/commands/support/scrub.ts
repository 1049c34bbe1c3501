/** Takes secrets, and names of people and of the computer, out of a text for others. */
import { homedir, hostname, userInfo } from 'node:os';

export interface ScrubWords {
  /** Texts that must not be in it, such as tokens. Short ones are ignored. */
  readonly secrets: readonly string[];
  /** The names of accounts, as they stand in paths. */
  readonly accounts: readonly string[];
  readonly home: string;
  readonly host: string;
}

/** A shorter text would be found everywhere. */
const SHORTEST = 4;
/** Accounts that are no person's. */
const ofNobody = /^(?:root|platen|nobody|system|local service|administrator)$/i;

/** The words of this process's account and computer. */
export function wordsHere(env: NodeJS.ProcessEnv, secrets: readonly string[]): ScrubWords {
  const accounts = [env['USER'], env['LOGNAME'], env['SUDO_USER'], env['USERNAME'], of(() => userInfo().username)];
  return {
    secrets,
    accounts: [...new Set(accounts)].filter(
      each => each !== undefined && each !== '' && !ofNobody.test(each),
    ) as string[],
    home: env['HOME'] ?? of(homedir) ?? '',
    host: hostname(),
  };
}

export function withoutHomes(text: string, home: string): string {
  const own = home.length > 2 ? text.replaceAll(new RegExp(`${literally(home)}(?![\\w-])`, 'g'), '~') : text;
  return own
    .replaceAll(/(?:\/[\w.-]+)*\/(?:home|Users)\/[^/\s"'`:;,()]+/g, '~')
    .replaceAll(/[A-Za-z]:(?:\\\\|\\|\/)Users(?:\\\\|\\|\/)[^\\/"'`:;\n]+/gi, '~');
}

export function scrub(text: string, { secrets, accounts, home, host }: ScrubWords): string {
  const steps: readonly (readonly [RegExp, string])[] = [
    ...[...secrets]
      .filter(each => each.length >= SHORTEST)
      .sort((a, b) => b.length - a.length)
      .map(each => [new RegExp(literally(each), 'g'), '(removed)'] as const),
    [/-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g, '(removed)'],
    [/\b(Bearer|Basic) +[^\s"']+/gi, '$1 (removed)'],
    // An account in an address, with its password.
    [/(?<=\/\/)[^\s/@"']+@/g, '(removed)@'],
    // Signed tokens, and anything that is as long and random as a secret.
    [/[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, '(removed)'],
    [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}/g, '(removed)'],
    ...accounts.map(name => [new RegExp(`(?<=[\\\\/])${literally(name)}(?![\\w-])`, 'gi'), '(user)'] as const),
    ...(host.length >= SHORTEST && host !== 'localhost'
      ? [[new RegExp(`(?<![\\w.-])${literally(host)}(?![\\w-])`, 'gi'), '(this computer)'] as const]
      : []),
  ];
  return steps.reduce((said, [found, instead]) => said.replace(found, instead), withoutHomes(text, home));
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

function of(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // An account without a name.
    return undefined;
  }
}
