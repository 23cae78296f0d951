import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { warningOfNpx } from '../../launch/own-command.ts';
import { settingLines } from '../../own-daemon/settings.ts';
import { type Command, CommandError, EXIT } from '../command.ts';
import { type Step, serviceOf } from '../service/service.ts';
import type { Surroundings } from '../surroundings.ts';

export const serviceInstall: Command = {
  name: 'service install',
  summary: 'start Handrail whenever you sign in (systemd, launchd)',
  options: [{ flags: '--print', description: 'only print the file' }],
  examples: ['handrail service install', 'handrail service install --print'],
  async run({ surroundings, options, isJson }) {
    const { output, errors } = surroundings;
    const service = serviceOf(surroundings);
    if (options.print === true) {
      output.write(service.content);
      return EXIT.done;
    }
    mkdirSync(dirname(service.file), { recursive: true });
    writeFileSync(service.file, service.content, { mode: 0o644 });
    const warning = warningOfNpx(surroundings.commandFile, surroundings.folder);
    if (warning !== undefined) errors.write(`handrail: ${warning}\n`);
    for (const step of service.install) await run(step, surroundings);
    const line = `Handrail is a service now: ${service.file}. \`handrail login\` gives a code; \`${service.follow}\` shows its log.`;
    output.write(`${isJson ? JSON.stringify({ file: service.file }) : line}\n`);
    return EXIT.done;
  },
};

export const serviceUninstall: Command = {
  name: 'service uninstall',
  summary: 'end the service and remove its file; the data stays',
  examples: ['handrail service uninstall'],
  async run({ surroundings, isJson }) {
    const service = serviceOf(surroundings);
    const isThere = existsSync(service.file);
    if (isThere) {
      for (const step of service.uninstall) await run(step, surroundings);
      rmSync(service.file, { force: true });
    }
    const line = isThere
      ? `The service is gone: ${service.file} was removed.`
      : `There is no service: ${service.file} is not there.`;
    surroundings.output.write(`${isJson ? JSON.stringify({ file: service.file, isRemoved: isThere }) : line}\n`);
    return EXIT.done;
  },
};

function run([program, ...args]: Step, { environment }: Surroundings): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env: environment }, (error, _output, errors) => {
      if (error === null) return resolve();
      const said = errors.trim() || error.message;
      reject(new CommandError(`${[program, ...args].join(' ')} failed: ${said}`));
    });
  });
}

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
