/** The process of `startRegistry`: verdaccio with a configuration made here. It ends when its parent's channel closes. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

process.once('disconnect', () => process.exit(0));

process.once('message', async ({ modules, folder, user, scopes, uplink }) => {
  const { runServer } = createRequire(join(modules, 'package.json'))('verdaccio');
  const passwords = join(folder, 'htpasswd');
  rmSync(passwords, { force: true });
  const server = await runServer(configuration({ folder, passwords, user, scopes, uplink }));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
});

/** Verdaccio's configuration: no page, no audit, no request that npm did not cause. */
function configuration({ folder, passwords, user, scopes, uplink }) {
  const own = { access: '$all', publish: user.name };
  return {
    configPath: join(folder, 'verdaccio.yaml'),
    self_path: join(folder, 'verdaccio.yaml'),
    storage: join(folder, 'storage'),
    secret: randomBytes(16).toString('hex'),
    auth: { htpasswd: { file: passwords, algorithm: 'bcrypt', rounds: 4, max_users: 1 } },
    uplinks: {
      configured: { url: uplink.registry, ...(uplink.ca ? { ca: uplink.ca } : {}), timeout: '120s', maxage: '1h' },
    },
    packages: {
      ...Object.fromEntries(scopes.map(scope => [`${scope}/*`, own])),
      '**': { access: '$all', proxy: 'configured' },
    },
    web: { enable: false },
    middlewares: {},
    publish: { allow_offline: true },
    max_body_size: '200mb',
    server: { keepAliveTimeout: 60 },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
}
