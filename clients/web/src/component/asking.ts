/** The question whether this page may scan: it is answered on the service's own page. Loaded when the service asks. */
import { html } from 'lit-html';
import type { ConsentQuestion } from '../client/consentQuestion.js';
import type { Desk } from './desk.js';
import { icon } from './pieces/icon.js';
import style from './styles/asking.css';

/** @param adopt gives the element one more style sheet */
export async function ask(
  desk: Desk,
  { link, signal }: ConsentQuestion,
  adopt: (style: string) => void,
): Promise<void> {
  const { context } = desk;
  adopt(style);
  await context.learn('errors').catch(() => undefined);
  const show = (aside: Desk['aside']): void => {
    desk.aside = aside;
    context.changed();
  };
  // A link: browsers block what opens a tab without a press, and a link shows where it leads.
  const aside = () =>
    html`<section class="notice note" id="asking" aria-label=${context.words('error.consent-required.title')}>
      ${icon('info')}
      <div class="words">
        <strong>${context.words('error.consent-required.title')}</strong>
        <p>${context.words('error.consent-required.remedy')}</p>
      </div>
      <a id="answer" href=${link} target="_blank" rel="noopener">${context.words('consent.answer')}</a>
    </section>`;
  signal.addEventListener('abort', () => desk.aside === aside && show(undefined));
  if (!signal.aborted) show(aside);
}
