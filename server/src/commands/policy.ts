/** `platen policy`: prints the policies with which browsers let a web application reach this computer unasked. */
import { ConfigError } from '../machine/configError.js';
import { platform } from '../machine/platform.js';
import { allowing } from '../machine/policies/allow.js';
import { browserNames, browsers, type Browser, type BrowserName } from '../machine/policies/browsers.js';
import { policyFormats, writers, type PolicyFormat } from '../machine/policies/formats.js';
import { pageOrigin } from '../machine/policies/origin.js';
import { placeOf } from '../machine/policies/place.js';
import { exitCodes } from '../machine/exitCodes.js';
import { command } from './command.js';

const help = `platen policy --origin ORIGIN... [--browser NAME] [--format FORMAT]

Prints the policies with which browsers let a web application reach this computer without asking the person: those for
this operating system, each below the place where it belongs. Writes nothing. "platen doctor" shows what is in force.

  --origin ORIGIN    the web application, such as https://app.example; may be repeated
  --browser NAME     one file alone, as it is: platen policy ... --browser chrome > platen.json
                     ${browserNames.join(', ')}
  --format FORMAT    json (Linux; Firefox everywhere), registry (Windows) or profile (macOS)

An origin without a port has the port of its scheme. Firefox takes hosts: its policy holds for every port and scheme.`;

const systemFormats: Readonly<Partial<Record<NodeJS.Platform, PolicyFormat>>> = {
  win32: 'registry',
  darwin: 'profile',
};

/** @param system the computer's; a test passes another */
export const policy = command(
  {
    help,
    exits: [],
    options: {
      origin: { type: 'string', multiple: true },
      browser: { type: 'string' },
      format: { type: 'string' },
    },
  },
  async ({ values, io }, system: NodeJS.Platform = platform): Promise<number | 'usage'> => {
    const { origin: texts = [] } = values;
    if (texts.length === 0)
      throw usage('--origin is missing. It takes the origin of a web application, such as https://app.example.');
    const name = wordOf('--browser', browserNames, values.browser);
    const format = wordOf('--format', policyFormats, values.format) ?? systemFormats[system] ?? 'json';
    const origins = texts.map(pageOrigin);
    const textOf = (browser: Browser): string => writers[format](browser, allowing(browser, origins));

    if (name !== undefined) io.out(textOf(browsers[name]));
    else
      io.out(
        namesFor(format, system)
          .map(each => part(browsers[each]))
          .join('\n'),
      );
    const insecure = origins.filter(({ isSecure }) => !isSecure).map(({ origin }) => origin);
    if (insecure.length > 0)
      io.err(
        `${insecure.join(', ')}: Chrome and Edge let no public page reach this computer over HTTP, also with this policy. Serve the web application over HTTPS.`,
      );
    return exitCodes.ok;

    function part(browser: Browser): string {
      return `# ${browser.title}: ${placeOf(browser, format, system)}\n${textOf(browser)}\n`;
    }
  },
);

/** Chromium has no release of its own for Windows and macOS. */
const namesFor = (format: PolicyFormat, system: NodeJS.Platform): readonly BrowserName[] =>
  browserNames.filter(name => name !== 'chromium' || (format === 'json' && systemFormats[system] === undefined));

function wordOf<T extends string>(flag: string, words: readonly T[], given: string | undefined): T | undefined {
  if (given === undefined || (words as readonly string[]).includes(given)) return given as T | undefined;
  throw usage(`${flag} ${JSON.stringify(given)}: it takes ${words.join(', ')}.`);
}

function usage(sentence: string): ConfigError {
  return new ConfigError(sentence, { code: 'usage' });
}
