/** What an answer uses is not closed before it is over. */
import { EventEmitter } from 'node:events';
import { createRegistry, type Registry } from '@platen/core';
import type { FastifyReply } from 'fastify';
import t from 'tap';
import { heldFor } from './heldFor.js';

t.test('heldFor: until the answer is closed, and not for one that is closed already', async t => {
  const software = createRegistry();
  let ended = 0;
  const registry = { hold: () => ({ software, end: () => void ended++ }) } as unknown as Registry;
  const raw = Object.assign(new EventEmitter(), { destroyed: false });
  t.equal(heldFor({ raw } as unknown as FastifyReply, registry), software);
  t.equal(ended, 0);
  raw.emit('close');
  t.equal(ended, 1);
  const gone = Object.assign(new EventEmitter(), { destroyed: true });
  heldFor({ raw: gone } as unknown as FastifyReply, registry);
  t.equal(ended, 2);
});
