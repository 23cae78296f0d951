// @ts-check
'use strict';
const { closeSync, readdirSync, readFileSync } = require('node:fs');

/** As the kernel writes it in `flags` of `/proc/self/fdinfo`. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * The descriptors above 2 that this process would hand to every program it starts. Node opens its own so that they are not handed on. A
 * shell can leave others open (`exec 200</tmp`), and a script that finds one reaches past its sandbox. On a Mac Node hands on none, and
 * in Electron the descriptors belong to Electron.
 *
 * @returns {number[]}
 */
function inheritedDescriptors() {
  if (process.platform !== 'linux' || process.versions.electron !== undefined) return [];
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isHandedOn(descriptor));
}

/** Closes them; to be called at the start of a process, before anything is opened. */
function closeInheritedDescriptors() {
  for (const descriptor of inheritedDescriptors()) closeSync(descriptor);
}

/** @param {number} descriptor */
function isHandedOn(descriptor) {
  try {
    const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the one through which the list was read.
    return false;
  }
}

module.exports = { closeInheritedDescriptors, inheritedDescriptors };
