/** The service's health: a word, whatever the status of its answer. */
import { failureOf, jsonIn, textOf, type CallOptions, type Service } from './service.js';
import type { Health } from './shapes.js';

const words: readonly Health[] = ['Healthy', 'Degraded', 'Unhealthy'];

/** @throws for every other answer: a refusal, or something else's */
export async function health(service: Service, options: CallOptions = {}): Promise<Health> {
  const response = await service.ask('/health', options);
  const text = (await textOf(response, options.signal)).trim();
  const word = words.find(each => each === text);
  if (word === undefined) throw failureOf(response, jsonIn(response, text));
  return word;
}
