/** The list of all keys, a part of its own with its words: loaded when it is asked for. Closed, it gives the focus back. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { Context } from '../context.js';
import type { LateDialog } from '../lateParts.js';
import type { Action } from '../options.js';
import { button } from '../pieces/button.js';
import { keyGroups, type KeyGroup, type Offered } from './keyGroups.js';
import type { KeyName } from './words/en.js';
import { loadKeyWords, type KeyWords } from './words/keyWords.js';

export { default as style } from '../styles/keyList.css';

export interface KeyListParts {
  offers(action: Action): boolean;
  hasPdf(): boolean;
  readonly isMac: boolean;
}

export async function createKeyList(context: Context, { offers, hasPdf, isMac }: KeyListParts): Promise<LateDialog> {
  let dialog: HTMLDialogElement | undefined;
  let own = await loadKeyWords(context.words.language);

  /** The element speaks another language now. */
  async function speak(language: string): Promise<void> {
    own = { ...own, language };
    own = await loadKeyWords(language).catch(() => own);
    context.changed();
  }

  return {
    draw() {
      const { words } = context;
      if (own.language !== words.language) void speak(words.language);
      const offered: Offered = {
        isMac,
        save: offers('save') ? (hasPdf() ? 'pdf' : 'images') : undefined,
        isDone: offers('done'),
      };
      return html`<dialog
        class="key-list"
        id="key-list"
        lang=${words.language}
        dir=${words.direction}
        aria-labelledby="key-list-title"
        ${ref(element => (dialog = element as HTMLDialogElement | undefined))}
      >
        <div class="head">
          <h2 id="key-list-title">${own.sentences['keys.title']}</h2>
          ${button(words('viewer.close'), () => dialog?.close(), { icon: 'close', square: true, class: 'ghost' })}
        </div>
        <div class="key-groups">${keyGroups(words, own.sentences, offered).map(group => groupView(group, own))}</div>
      </dialog>`;
    },
    open() {
      if (dialog && !dialog.open) dialog.showModal();
    },
  };
}

const groupView = ({ title, rows }: KeyGroup, own: KeyWords): TemplateResult =>
  html`<section>
    <h3>${title}</h3>
    <dl>
      ${rows.map(
        ({ keys, text }) =>
          html`<div>
            <dt>
              ${keys.map((each, at) => html`${at > 0 ? html`<span class="or">${own.sentences['keys.or']}</span>` : nothing}${pressView(each, own)}`)}
            </dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </section>`;

/** `Control+S`: from left to right in every language, like the keyboard. */
const pressView = (press: string, own: KeyWords): TemplateResult =>
  html`<span class="press" dir="ltr"
    >${press.split(' ').map((each, at) => html`${at > 0 ? '+' : nothing}<kbd>${nameOf(each, own)}</kbd>`)}</span
  >`;

function nameOf(key: string, { sentences }: KeyWords): string {
  const name = `key.${key}` as KeyName;
  return Object.hasOwn(sentences, name) ? sentences[name] : key;
}
