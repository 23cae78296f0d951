import { settingLines } from '../../own-daemon/settings.ts';
import { type Command, CommandError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

/**
 * For its help and completion. `handrail start` itself never comes here: the launcher runs the daemon's own entry, with the options of
 * Node that the daemon needs, and so saves the time to load the command line.
 */
export const start: Command = {
  name: 'start',
  summary: 'start Handrail in this terminal; Ctrl-C stops it',
  options: [{ flags: '--terminal', description: 'in this terminal also where the Mac app is installed' }],
  examples: ['handrail start', 'HANDRAIL_PORT=0 handrail start --json 2> handrail.log'],
  notes: ['Settings, as variables of the environment:', ...settingLines(process.platform)],
  run: async () => {
    throw new CommandError('Start Handrail with `handrail start`.', EXIT.usage);
  },
};
