import type { Program } from '../surroundings.ts';

export const LABEL = 'dev.handrail.daemon';

type Service = Program & { environment: Readonly<Record<string, string>>; logFile: string };

/** A property list for the person's own launchd. Aqua: only in a session with a desktop. */
export function launchdAgent({ command, args, environment, logFile }: Service): string {
  const variables = Object.entries(environment).map(([name, value]) => `<key>${text(name)}</key>${string(value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${string(LABEL)}`,
    `  <key>ProgramArguments</key><array>${[command, ...args].map(string).join('')}</array>`,
    `  <key>EnvironmentVariables</key><dict>${variables.join('')}</dict>`,
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '  <key>ExitTimeOut</key><integer>20</integer>',
    '  <key>LimitLoadToSessionType</key><string>Aqua</string>',
    '  <key>Umask</key><integer>63</integer>',
    `  <key>StandardOutPath</key>${string(logFile)}`,
    `  <key>StandardErrorPath</key>${string(logFile)}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function string(value: string): string {
  return `<string>${text(value)}</string>`;
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
