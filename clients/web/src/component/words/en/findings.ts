/** What `diagnose()` finds: the sentences of the client module, by their names. */
import { findings as named, type FindingName } from '../../../client/findings.js';

type FindingKey = `finding.${FindingName}.${'sentence' | 'remedy'}`;

export const findings = Object.fromEntries(
  Object.entries(named).flatMap(([name, { sentence, remedy }]) => [
    [`finding.${name}.sentence`, sentence],
    [`finding.${name}.remedy`, remedy],
  ]),
) as Readonly<Record<FindingKey, string>>;
