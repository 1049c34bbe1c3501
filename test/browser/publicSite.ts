/**
 * A page of the internet for browsers that ask before such a page may reach this computer.
 *
 * Its server is on loopback, its name is not: browsers are told that the server's address is public, and (as it has no
 * certificate) which of its names count as secure.
 */
import type { Diagnosis } from '@platen/client';
import { openForeignSite } from './foreignSite.js';

/** Secure contexts, the second for frames. */
export const [top, framed] = ['page.example', 'frame.example'] as const;
/** Not a secure context. */
export const plain = 'plain.example';

/** `platen` of its pages. */
export interface InPage {
  ready(options?: { ask?: boolean; signal?: AbortSignal }): Promise<Diagnosis>;
  diagnose(): Promise<Diagnosis>;
}

export interface PublicSite {
  /** Where it listens, each a public address. */
  readonly addresses: readonly string[];
  /** Those that are secure contexts. */
  readonly secure: readonly string[];
  origin(host: string): string;
  /** @returns the page's address; it has a client, `platen`, of this service. `policy`: its Content-Security-Policy */
  page(service: string, more?: { readonly host?: string; readonly policy?: string }): string;
  /** A page around a frame of another site with that client. @param allow of the frame */
  around(service: string, allow: string): string;
  close(): void;
}

export async function openPublicSite(): Promise<PublicSite> {
  const site = await openForeignSite();
  const origin = (host: string): string => `http://${host}:${site.ports[host === framed ? 1 : 0]}`;
  const page: PublicSite['page'] = (service, { host = top, policy } = {}) =>
    origin(host) +
    site.add({
      ...(policy && { headers: { 'content-security-policy': policy } }),
      html: `<!doctype html><link rel="icon" href="data:,"><script type="module">
        import { createClient } from './client.js';
        window.platen = createClient({ baseUrl: '${service}' });
      </script>`,
    });
  return {
    addresses: site.ports.map(port => `127.0.0.1:${port}`),
    secure: [origin(top), origin(framed)],
    origin,
    page,
    around(service, allow) {
      const html = `<!doctype html><link rel="icon" href="data:,"><iframe allow="${allow}" src="${page(service, { host: framed })}"></iframe>`;
      return origin(top) + site.add({ html });
    },
    close: site.close,
  };
}

/** The name of its one finding, or `ok`. */
export const nameOf = ({ ok, findings }: Diagnosis): string =>
  ok ? 'ok' : findings.map(({ name }) => name).join(' and ');
