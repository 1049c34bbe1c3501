/** The service's health: one word, whatever the HTTP status. */
import type { CallOptions, Service } from '../transport/ask.js';
import { failureOf, jsonIn, textOf } from '../service.js';
import type { Health } from '../shapes.js';

const words: readonly Health[] = ['Healthy', 'Degraded', 'Unhealthy'];

/** @throws for any other answer: a rejection, or another program's */
export async function health(service: Service, options: CallOptions = {}): Promise<Health> {
  const response = await service.ask('/health', options);
  const text = (await textOf(response, options.signal)).trim();
  const word = words.find(each => each === text);
  if (word === undefined) throw failureOf(response, jsonIn(response, text));
  return word;
}
