import { readFileSync } from 'node:fs';
import { assetPath } from '../launch/assets.ts';
import { keepCompiledCode } from '../launch/compile-cache.ts';

keepCompiledCode();
// Loaded after that, so that the second start is fast.
const [{ COMMANDS }, { runProgram }, { ownSurroundings }] = await Promise.all([
  import('./commands.ts'),
  import('./program.ts'),
  import('./surroundings.ts'),
]);

const { version } = JSON.parse(readFileSync(assetPath('manifest'), 'utf8'));
// A reader that has enough, such as `head`, ends the command.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await runProgram(process.argv.slice(2), {
  commands: COMMANDS,
  surroundings: ownSurroundings(),
  version: String(version),
});
