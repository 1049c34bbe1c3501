/** An origin of web pages as policies of browsers name it: `https://app.example`, with or without a port. */
import { ConfigError } from '../configError.js';

export interface PageOrigin {
  /** As browsers write it, without the scheme's own port. */
  readonly origin: string;
  /** Names no other port: without a port, Chromium applies a pattern to every port. */
  readonly pattern: string;
  /** An IPv6 address without brackets. */
  readonly host: string;
  readonly isSecure: boolean;
}

const ports: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const thisComputer = /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])\.?$/;

/** @throws {ConfigError} that names what is wrong */
export function pageOrigin(text: string): PageOrigin {
  if (text === 'null') throw wrong(text, 'a page without an origin cannot be named in a policy');
  if (text.includes('*')) throw wrong(text, 'name each origin, without wildcards');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*:)\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) throw wrong(text, 'the scheme is missing');
  const usualPort = ports[scheme];
  if (usualPort === undefined) throw wrong(text, 'the scheme must be https or http');
  if (!/^[^/]+\/\/[^/?#@\\\s]+$/.test(text)) throw wrong(text, 'leave out the path, the query and the user');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong(text, 'the host or the port is not valid');
  }
  const { hostname, origin, port } = url;
  if (thisComputer.test(hostname))
    throw wrong(text, 'browsers do not ask for pages of this computer, which need no policy');
  return {
    origin,
    pattern: `${scheme}//${hostname}:${port || usualPort}`,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    isSecure: scheme === 'https:',
  };
}

function wrong(text: string, why: string): ConfigError {
  return new ConfigError(
    `--origin ${JSON.stringify(text)}: ${why}. It takes the origin of a web application, such as https://app.example or https://app.example:8443.`,
    { code: 'usage' },
  );
}
