/** Failures with a way out: a scan cannot go on, the service has no room, nobody allowed the page. Loaded at the first one. */
import { html } from 'lit-html';
import { PlatenError } from '../client/errors.js';
import type { Desk } from './desk.js';
import { remedyOf } from './remedies.js';
import { scanOf } from './stack.js';

/** @param error with a link, or `storage-full` */
export async function tell(desk: Desk, error: PlatenError): Promise<void> {
  await desk.context.learn('errors').catch(() => undefined);
  if (error.code === 'storage-full') tellFull(desk, error);
  else tellConsent(desk, error);
}

/** Pages that were removed fill the service's room until their removal cannot be undone. */
function tellFull({ context: { words }, notices, here, stack }: Desk, error: PlatenError): void {
  notices.show('alert', {
    title: words('error.storage-full.title'),
    detail: error.message,
    remedy: words('error.storage-full.remedy'),
    action: {
      text: words('desk.discard-removed'),
      run() {
        const before = here.all;
        // Pages that were saved and still show stay.
        here.letGo(new Set(stack.all.map(({ id }) => scanOf(id))));
        const gone = new Set(before.filter(scan => !here.has(scan)).map(({ id }) => id));
        stack.forget(id => gone.has(scanOf(id)));
        notices.show('note', { title: words('desk.discarded') });
      },
    },
  });
}

/** A "no", or a right that the person did not give. If the grant ended, asks for it again: pages that came meanwhile follow. */
function tellConsent(desk: Desk, { code, link, may = ['scan'], message }: PlatenError): void {
  const { notices, look } = desk;
  const { words } = desk.context;
  const isNo = code === 'consent-refused';
  if (!isNo && may.includes('scan')) return void look();
  // They come back from there.
  const onOpen = (): void => addEventListener('focus', () => void look(), { once: true });
  const remedy = words(isNo ? 'error.consent-refused.remedy' : 'error.consent-required.remedy');
  // Without an action: it goes with the next look.
  notices.show('alert', {
    title: words(isNo ? 'error.consent-refused.title' : 'error.consent-required.title'),
    detail: isNo ? undefined : message,
    remedy: html`${remedy}
      <a href=${link} target="_blank" rel="noopener" @click=${onOpen}>${words('consent.change')}</a>`,
  });
}

/** A scan that could not go on: it can be tried again. */
export async function showRefusal(desk: Desk, error: unknown, onContinue: () => void): Promise<void> {
  if (!(error instanceof PlatenError) || error.link) return desk.fail(error);
  const { context, notices } = desk;
  await context.learn('errors').catch(() => undefined);
  const { words } = context;
  const { title, remedy } = remedyOf(words, error.code);
  notices.show('alert', {
    title,
    detail: error.message,
    remedy,
    action: { text: words('scan.continue'), run: onContinue },
  });
}
