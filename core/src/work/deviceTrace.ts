/**
 * What drivers and their devices send each other, for `platen trace`. The places that send publish here, under a name of
 * the process, so that no part between them and the recorder has to pass it on. Without a listener nothing is made.
 */
import { channel } from 'node:diagnostics_channel';

/** Replaces a text that may name a person, a place or a device; the same text gets the same alias in a whole trace. */
export type Alias = (text: string) => string;

/** One message, as JSON has it: without pixels, and without texts that are neither the protocol's nor an alias. */
export interface DeviceLine {
  /** The driver's id, or the name of its helper. */
  readonly part: string;
  /** The device's id, where the part talks to several at a time. It is not written to the trace. */
  readonly device?: string;
  /** A message to the device; otherwise `from` is one of the device. */
  readonly to?: object;
  readonly from?: object;
}

/** Makes the line when something listens. */
export type WriteLine = (alias: Alias) => DeviceLine;

const lines = channel('platen.device');

/** Whether something listens: otherwise nothing need be kept for a line. */
export const isTraced = (): boolean => lines.hasSubscribers;

/** @param write is called at once, or never */
export function traceDevice(write: WriteLine): void {
  if (lines.hasSubscribers) lines.publish(write);
}

/** Returns a function that stops listening. @param listener must not throw */
export function onDeviceLine(listener: (write: WriteLine) => void): () => void {
  const heard = (write: unknown): void => listener(write as WriteLine);
  lines.subscribe(heard);
  return () => void lines.unsubscribe(heard);
}
