/** The secrets that no file for others may have. */
import { join } from 'node:path';
import t from 'tap';
import { tokenFile } from '../../service/consent/localToken.js';
import { secretsIn } from './secrets.js';

t.test('secrets of an installation: both tokens, and those of the channel', async t => {
  const dir = t.testdir({ 'local.token': 'one\n', 'settings.token': 'two\n', 'channel.secret': 'three\n' });
  t.strictSame(
    [tokenFile(dir), tokenFile(dir, 'settings')],
    [join(dir, 'local.token'), join(dir, 'settings.token')],
    'as the service calls them',
  );
  t.strictSame((await secretsIn(dir)).filter(Boolean), ['one', 'two', 'three']);
});
