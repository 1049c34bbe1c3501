/** The package for Fedora, RHEL, openSUSE and their relatives, built by Debian's rpmbuild. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../step.mjs';
import { configuration, layOut, script } from './linux/layout.mjs';

const architectures = { x64: 'x86_64', arm64: 'aarch64' };

/** @param {Parameters<typeof import('./deb.mjs').buildDeb>[0]} options @returns {Promise<string>} the file */
export async function buildRpm({ out, work, arch, version, maintainer, homepage, epoch, quick, makeTree }) {
  const folder = join(work, 'rpm', 'root');
  await layOut({
    folder,
    epoch,
    config: configuration,
    makeTree: tree => makeTree({ out: tree, platform: 'linux', arch }),
  });
  const top = join(work, 'rpm', 'build');
  mkdirSync(top, { recursive: true });
  const spec = join(top, 'platen.spec');
  writeFileSync(spec, specOf({ version, maintainer, homepage, folder, epoch }));
  const architecture = architectures[arch];
  await run(
    `Building the rpm for ${architecture}`,
    [
      'rpmbuild',
      ...[
        '-bb',
        '--quiet',
        '--target',
        `${architecture}-linux`,
        '--define',
        `_topdir ${top}`,
        '--define',
        '_rpmdir %{_topdir}',
      ],
      // zstd: rpm reads it since 4.14 (RHEL 8).
      ...['--define', `_binary_payload w${quick ? 1 : 19}.zstdio`, spec],
    ],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } },
  );
  const built = join(top, architecture);
  const [name] = readdirSync(built);
  const file = join(out, name);
  renameSync(join(built, name), file);
  rmSync(join(work, 'rpm'), { recursive: true, force: true });
  return file;
}

/** The scriptlets are the deb's, as far as rpm has the same moments: it has no purge. */
function specOf({ version, maintainer, homepage, folder, epoch }) {
  return `%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _buildhost localhost
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global source_date_epoch ${epoch}
Name: platen
# A hyphen separates the version from the release.
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: Local scanner service for web applications
License: MIT
Vendor: ${maintainer}
Packager: ${maintainer}
URL: ${homepage}
AutoReqProv: no
Requires: libc.so.6(GLIBC_2.28)(64bit), libgcc_s.so.1()(64bit), libstdc++.so.6()(64bit)
Requires: ca-certificates, util-linux, /usr/sbin/useradd, (sane-backends-libs or sane-backends)
Recommends: sane-backends
Suggests: tesseract, nss-tools

%description
A web page asks https://localhost:53052, and the document scanner on this
computer scans: SANE's scanners and those in the network (eSCL), as images and
as searchable PDF, with barcodes and text recognition.
The package has a Node.js of its own.

%install
cp -a ${folder}/. %{buildroot}/

%post
${body('post')}
%preun
${body('preun')}
%postun
${body('postun')}
%files
%defattr(-,root,root)
%dir /etc/platen
%config(noreplace) ${configuration}
/usr/bin/platen
/usr/lib/platen
/usr/lib/systemd/system/platen.service
/usr/share/doc/platen

%changelog
* ${changeDate(epoch)} ${maintainer} - ${version.replaceAll('-', '~')}-1
- ${homepage} lists the changes.
`;
}

/** In the order that rpm wants, in UTC: the same everywhere. */
function changeDate(epoch) {
  const [day, date, month, year] = new Date(epoch * 1000).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date} ${year}`;
}

/** rpm starts each scriptlet with /bin/sh; a percent sign would be a macro. */
const body = name => script(`rpm/${name}.sh`).replace('#!/bin/sh\n', '').replaceAll('%', '%%');
