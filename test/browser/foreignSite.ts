/** A web server of another origin: it serves a test's pages and the packaged module, and receives forms. */
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../spec/calls.js';

/** The client module of the installed package. */
const packaged = fileURLToPath(new URL('.', import.meta.resolve('@platen/client')));

export interface SitePage {
  /** The page's text. */
  readonly html: string;
  /** Headers sent with the page. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ForeignSite {
  /** It listens on two, which browsers may treat differently. */
  readonly ports: readonly [number, number];
  /** @returns the path at which it is served from now on */
  add(page: SitePage): string;
  /** The next answer with this page stops after its headers. @returns what lets the rest follow */
  hold(path: string): () => void;
  /** The form that was posted to this path next. */
  posted(path: string): Promise<FormData>;
  close(): void;
}

export async function openForeignSite(): Promise<ForeignSite> {
  const pages = new Map<string, SitePage>();
  const forms = new Map<string, FormData[]>();
  const held = new Map<string, Promise<void>>();
  const serve: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const send = (status: number, type: string, text: string | Buffer, headers: SitePage['headers'] = {}): void =>
      void response.writeHead(status, { ...headers, 'content-type': type }).end(text);
    const missing = (): void => send(404, 'text/html', 'not here');
    const page = pages.get(path);
    if (request.method === 'POST')
      void formOf(request).then(form => {
        forms.set(path, [...(forms.get(path) ?? []), form]);
        send(200, 'text/html', '<link rel="icon" href="data:,">received');
      }, missing);
    else if (page) {
      response.writeHead(200, { ...page.headers, 'content-type': 'text/html; charset=utf-8' }).write('\n');
      void (held.get(path) ?? Promise.resolve()).then(() => response.end(page.html));
      held.delete(path);
    } else if (/^\/client(?:\/\w+)?\.js$/.test(path))
      readFile(join(packaged, path)).then(text => send(200, 'text/javascript', text), missing);
    else missing();
  };
  const servers = [createServer(serve), createServer(serve)];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    ports: servers.map(server => (server.address() as AddressInfo).port) as [number, number],
    add(page) {
      const path = `/page${pages.size}.html`;
      pages.set(path, page);
      return path;
    },
    hold(path) {
      let goOn = (): void => undefined;
      held.set(path, new Promise(resolve => (goOn = resolve)));
      return goOn;
    },
    async posted(path) {
      let form: FormData | undefined;
      await until(async () => (form = forms.get(path)?.shift()) !== undefined);
      return form as FormData;
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function formOf(request: IncomingMessage): Promise<FormData> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const type = request.headers['content-type'] ?? '';
  return new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData();
}
