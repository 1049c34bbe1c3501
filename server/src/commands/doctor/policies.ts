/** The doctor's look at the browsers' policies. They never fail the doctor: a page may be meant to be blocked. */
import { browserPolicies, type PolicyFault, type PolicyInForce } from '../../machine/policies/inForce.js';
import { printable } from '../../machine/printable.js';
import type { Facts } from './facts.js';
import { ok, type Outcome } from './finding.js';

export async function policies({ browsers }: Facts): Promise<Outcome> {
  const { inForce, faults } = await browserPolicies(browsers);
  const sentence =
    inForce.length === 0
      ? 'none, so each person decides. For many computers: platen policy'
      : inForce.map(sentenceOf).join('. ');
  const advice = [...faults.map(adviceOf), ...inForce.filter(blocksAll).map(blockAdvice)].map(printable);
  return { ...ok(sentence), ...(advice.length > 0 ? { remedy: advice.join('\n') } : {}) };
}

function sentenceOf({ browser, policy, place, effect, pages }: PolicyInForce): string {
  const where = `(${policy} in ${place})`;
  if (effect === 'unasked') return `${browser} lets every page reach this computer ${where}`;
  return `${browser} ${effect} ${pages.includes('*') ? 'every page' : pages.join(', ')} ${where}`;
}

const blocksAll = ({ effect, pages }: PolicyInForce): boolean => effect === 'blocks' && pages.includes('*');
const blockAdvice = ({ browser }: PolicyInForce): string =>
  `${browser} blocks every page that no other policy names. Allow your web application: platen policy --origin ORIGIN.`;

function adviceOf(fault: PolicyFault): string {
  const { browser, place } = fault;
  if (fault.kind === 'damaged') return `${browser} cannot use ${place}: ${fault.why}. Correct the file.`;
  if (fault.kind === 'not-a-list') return `${browser} ignores ${fault.policy} in ${place}: make it a list of texts.`;
  return `${browser} ignores ${fault.policy} in ${place}, because ${fault.by} sets it, too. Put all of it into one place.`;
}
