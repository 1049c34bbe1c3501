/** What the operating system lets this account do; where it does not, a suite is skipped, and fails in CI. */
import { execFileSync } from 'node:child_process';
import type { NeedyTest } from '@platen/conformance';

/**
 * @param what completes "This account may not …"
 * @param command does it, and nothing else
 */
export function isPermitted(t: NeedyTest, what: string, [program, ...args]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    return true;
  } catch (error) {
    const [why] = String((error as { stderr?: string }).stderr || error).split('\n');
    const sentence = `this account may not ${what}: ${why}`;
    if (process.env['CI'] && process.env['CI'] !== 'false') t.fail(sentence);
    else t.skip(sentence, () => undefined);
    return false;
  }
}
