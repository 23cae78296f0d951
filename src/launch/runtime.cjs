// @ts-check
'use strict';

/** The first Node in which the HTTP server can refuse an upgrade (`shouldUpgradeCallback`). The daemon depends on it. */
const OLDEST_NODE = '24.9.0';

/**
 * Says in one sentence that a Node is too old for Handrail. Answers undefined when it can run Handrail.
 *
 * @param {string} version as in process.versions.node
 * @returns {string | undefined}
 */
function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Handrail needs Node ${OLDEST_NODE} or newer, and this is Node ${version}.`;
}

module.exports = { OLDEST_NODE, tooOld };
