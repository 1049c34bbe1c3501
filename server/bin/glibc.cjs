/**
 * What glibc is told about memory, as the value of `GLIBC_TUNABLES`. Only a process's environment can say it: the unit of
 * systemd, `npm start` and the program itself do.
 *
 * - arena_max: glibc gives threads up to eight arenas a core, and pages of megabytes leave holes in all of them: after
 *   400 pages of a PDF, 370 MB were resident, with one arena 216, in the same time.
 * - mmap_threshold: from 256 KiB, so that what belongs to one page, encoded or not, goes back to the system with it.
 *   glibc's own threshold grows to 32 MiB, and after half an hour of mixed scans 465 MB stayed resident. It costs a page
 *   of 26 MB some milliseconds.
 * - hugetlb: a mapping's first bytes cost a fault for each 2 MiB instead of each 4 KiB.
 *
 * Source: glibc manual, "Memory Allocation Tunables". Others than glibc ignore it.
 */
'use strict';

exports.tunables = [
  'glibc.malloc.arena_max=1',
  `glibc.malloc.mmap_threshold=${256 * 1024}`,
  `glibc.malloc.trim_threshold=${4 * 1024 * 1024}`,
  'glibc.malloc.hugetlb=1',
].join(':');
