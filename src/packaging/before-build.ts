/**
 * Tells electron-builder that the packages are in place already. Otherwise it would ask npm for those of the whole project and
 * compile the native ones.
 */
export function beforeBuild(): Promise<boolean> {
  return Promise.resolve(false);
}
