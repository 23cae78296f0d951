import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Wish = { platform: NodeJS.Platform; isUnsigned: boolean; isAppAlone: boolean };

/** The reason why the wished package cannot be made on this system, or undefined. */
export function refusalToPack({ platform, isUnsigned, isAppAlone }: Wish): string | undefined {
  if (platform === 'darwin') return undefined;
  if (!isAppAlone) return 'A disk image needs a Mac. With --dir the app alone is packed.';
  if (!isUnsigned)
    return 'Only a Mac can sign the app. With --dir --unsigned the app alone is packed, without a signature.';
  return undefined;
}

/**
 * Looks at the signature of a packed app as macOS does, and returns the fault, or undefined. electron-builder reports success also where it
 * signed nothing, as in the run of a pull request (`isSignAllowed` in app-builder-lib/out/codeSign/macCodeSign.js). By then the fuses
 * have broken Electron's own signature, and Apple silicon ends such an app at its start.
 */
export async function signatureFault(
  app: string,
  { isUnsigned }: { isUnsigned: boolean },
): Promise<string | undefined> {
  try {
    await run('codesign', ['--verify', '--deep', '--strict', app]);
    if (isUnsigned) return undefined;
    // It describes the signature on standard error. A signature that names nobody is `Signature=adhoc`.
    const { stderr } = await run('codesign', ['--display', '--verbose=2', app]);
    return /^Signature=adhoc$/m.test(stderr) ? `${app}: its signature names nobody` : undefined;
  } catch (error) {
    return (error instanceof Error && 'stderr' in error && String(error.stderr).trim()) || String(error);
  }
}
