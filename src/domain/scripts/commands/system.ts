import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { type Danger, listed, shortened } from '../finding.ts';

/** Programs that change accounts, services and protection, or start other programs later. */
export const SYSTEM_COMMANDS: Handlers = {
  ...all('accounts', {
    'changes the password of': ['passwd', 'chpasswd', 'smbpasswd', 'htpasswd'],
    'creates the account': ['useradd', 'adduser'],
    'deletes the account': ['userdel', 'deluser'],
    'changes the account': [
      'usermod',
      'gpasswd',
      'chsh',
      'chage',
      'dscl',
      'dseditgroup',
      'sysadminctl',
      'pwpolicy',
      'vipw',
      'groupadd',
      'addgroup',
      'groupmod',
      'newgrp',
    ],
    'changes who may act as administrator': ['visudo'],
  }),
  ...all('protection', {
    'changes the firewall': [
      'iptables',
      'ip6tables',
      'nft',
      'ufw',
      'firewall-cmd',
      'pfctl',
      'socketfilterfw',
      'ebtables',
    ],
    'changes the protection of the system': [
      'setenforce',
      'spctl',
      'csrutil',
      'tccutil',
      'fdesetup',
      'aa-teardown',
      'aa-disable',
      'aa-complain',
      'auditctl',
      'nvram',
      'bputil',
      'kextload',
      'insmod',
      'modprobe',
      'rmmod',
      'setsebool',
      'semanage',
      'swapoff',
      'profiles',
      'setcap',
      'paxctl',
      'ausearch',
    ],
  }),
  ...all('stops', {
    'shuts down or restarts the computer': ['shutdown', 'reboot', 'halt', 'poweroff', 'telinit'],
    'ends the program': ['kill', 'killall', 'pkill', 'xkill', 'skill'],
    'uses up the computer': ['stress', 'stress-ng', 'hping3', 'slowloris', 'ab'],
  }),
  ...all('records', {
    'takes pictures of the screen': [
      'screencapture',
      'scrot',
      'gnome-screenshot',
      'import',
      'maim',
      'grim',
      'flameshot',
      'spectacle',
    ],
    'records the microphone or the camera': ['arecord', 'parecord', 'rec', 'imagesnap', 'fswebcam', 'sox'],
    'records the keyboard': ['logkeys', 'showkey', 'evtest', 'xev', 'libinput'],
    'reads and records the traffic of the network': [
      'tcpdump',
      'tshark',
      'dumpcap',
      'ettercap',
      'mitmproxy',
      'bettercap',
    ],
    'reads the clipboard': ['pbpaste', 'wl-paste', 'xsel'],
    'types and clicks in other apps': ['xdotool', 'ydotool', 'wtype', 'cliclick'],
  }),
  xinput: (call) =>
    call.args.some((arg) => /^-{0,2}(?:disable|set-prop|float|reattach|delete)/u.test(arg))
      ? call.note('stops', `switches off or changes a keyboard or a mouse (xinput ${shortened(call.args.join(' '))})`)
      : call.note('records', `records the keyboard (xinput ${shortened(call.args.join(' '))})`),
  ffmpeg: (call) => {
    const words = call.args.join(' ');
    if (/(?:^| )(?:v4l2|alsa|pulse|avfoundation|dshow|\/dev\/video\d*)(?: |$)/u.test(words))
      call.note('records', `records the microphone or the camera (ffmpeg ${shortened(words)})`);
    else if (/(?:^| )(?:x11grab|kmsgrab|gdigrab)(?: |$)/u.test(words))
      call.note('records', `takes pictures of the screen (ffmpeg ${shortened(words)})`);
    else for (const path of call.args.slice(-1)) call.writes(path, 'writes');
  },
  xclip: (call) => call.args.some((arg) => /^-o/u.test(arg)) && call.note('records', 'reads the clipboard'),
  systemctl: services,
  service: (call) => serviceVerb(call, call.args[1] ?? '', call.args.slice(0, 1)),
  'rc-service': (call) => serviceVerb(call, call.args[1] ?? '', call.args.slice(0, 1)),
  launchctl: launches,
  'update-rc.d': (call) =>
    call.note('persists', `changes what starts with the computer (${listed(call.args.slice(0, 2))})`),
  chkconfig: (call) =>
    call.note('persists', `changes what starts with the computer (${listed(call.args.slice(0, 2))})`),
  crontab: editsCrontab,
  at: schedules,
  batch: schedules,
  'systemd-run': (call) =>
    call.note('persists', `starts a program outside of the script: ${shortened(call.args.join(' '))}`),
  loginctl: (call) =>
    call.note('stops', `ends or changes sessions of the desktop (loginctl ${shortened(call.args.join(' '))})`),
  defaults: writesSettings,
  gsettings: writesSettings,
  dconf: writesSettings,
  kwriteconfig5: writesSettings,
  scutil: (call) => call.args.includes('--set') && call.note('changes', 'changes the settings of the network'),
  networksetup: (call) => call.note('changes', `changes the network (${shortened(call.args.join(' '))})`),
  nmcli: (call) => nmcli(call),
  rfkill: (call) => call.note('stops', `switches radios (${shortened(call.args.join(' '))})`),
  ip: (call) =>
    call.args.some((arg) => /^(?:add|del|delete|set|flush|down)$/u.test(arg))
      ? call.note('changes', `changes or switches off the network (ip ${shortened(call.args.join(' '))})`)
      : call.note('looks', `reads the network connections (ip ${shortened(call.args.join(' '))})`.replace(' )', ')')),
  history: (call) =>
    call.args.some((arg) => /^-\w*[cdw]/u.test(arg))
      ? call.note('hides', 'deletes the history of commands')
      : call.note('credentials', 'reads the history of commands'),
  fc: (call) => call.note('credentials', 'reads the history of commands'),
  journalctl: (call) =>
    call.args.some((arg) => /^--(?:vacuum|rotate)/u.test(arg))
      ? call.note('hides', 'deletes records of the system log')
      : call.note('reads', 'reads the system log'),
  tmutil: (call) =>
    call.note(
      /^(?:delete|disable)/u.test(call.args[0] ?? '') ? 'deletes' : 'changes',
      `changes backups (tmutil ${shortened(call.args.join(' '))})`,
    ),
  vssadmin: (call) => call.note('deletes', `changes backups (${shortened(call.args.join(' '))})`),
  diskutil: (call) =>
    /^(?:erase|partition|zero|random|secureErase|apfs|unmount|eject)/u.test(call.args[0] ?? '') &&
    call.note('deletes', `erases or changes the disk ${listed(call.args.slice(-1))}`),
  ...all('deletes', {
    'erases the disk': [
      'mkfs',
      'fdisk',
      'sfdisk',
      'sgdisk',
      'parted',
      'mkswap',
      'newfs_apfs',
      'newfs_hfs',
      'blkdiscard',
      'lvremove',
      'vgremove',
      'zpool',
      'mke2fs',
      'hdparm',
    ],
  }),
  cryptsetup: (call) => call.note('encrypts', `encrypts or opens the disk ${listed(call.args.slice(-1))}`),
  yes: (call) =>
    call.upstream.length === 0 &&
    call.command.redirects.length > 0 &&
    call.note(
      'stops',
      `uses up the computer or fills the disk (yes > ${shortened(call.command.redirects[0]?.target.text ?? '')})`,
    ),
  set: (call) =>
    call.args.join(' ').includes('+o history') && call.note('hides', 'switches off the history of commands'),
  unset: (call) =>
    call.args.some((arg) => /^HIST/u.test(arg)) && call.note('hides', 'switches off the history of commands'),
  alias: (call) =>
    call.args.some((arg) => arg.includes('=')) &&
    call.note(
      'changes',
      `gives another meaning to the command ${listed(call.args.map((arg) => arg.split('=')[0] ?? ''))}`,
    ),
  mount: (call) => call.args.length > 1 && call.note('changes', mounted(call)),
  umount: (call) => call.note('stops', `unmounts ${listed(readArguments(call.args).operands)}`),
};

/** `mount` can make a disk read-only. */
function mounted(call: Call): string {
  const { operands, values } = readArguments(call.args, { letters: 'to' });
  const options = values.get('o') ?? '';
  if (/\bro\b/u.test(options)) return `switches ${listed(operands)} to reading only (mount ${shortened(options)})`;
  return `mounts ${listed(operands)}`;
}

type Subjects = Readonly<Record<string, readonly string[]>>;

function all(danger: Danger, subjects: Subjects): Handlers {
  return Object.fromEntries(
    Object.entries(subjects).flatMap(([words, names]) => names.map((name) => [name, simple(danger, words)] as const)),
  );
}

/** The words, and the operands that say which account, program or disk. Values of options can be passwords. */
function simple(danger: Danger, words: string): Handler {
  return (call) => {
    const objects = call.args.filter((arg) => !arg.startsWith('-') && !/[:=]/u.test(arg));
    const shown = danger === 'accounts' ? objects : call.args;
    const isEverything = words === 'ends the program' && call.args.some((arg, at) => arg === '-1' && at > 0);
    if (isEverything) return call.note(danger, `ends all programs (${shortened([call.name, ...call.args].join(' '))})`);
    const subject = objects.length > 0 ? listed(objects.slice(danger === 'accounts' ? -1 : 0)) : call.name;
    const isSentence = danger === 'accounts' || /^(?:ends|erases)/u.test(words);
    call.note(danger, isSentence ? `${words} ${subject}` : `${words} (${shortened([call.name, ...shown].join(' '))})`);
  };
}

function services(call: Call) {
  const { operands } = readArguments(call.args, { letters: 'tHMp' });
  if (/^(?:set|import)-environment$/u.test(operands[0] ?? ''))
    return call.note(
      'persists',
      `changes the settings of programs that start later (${shortened(operands.join(' '))})`,
    );
  serviceVerb(call, operands[0] ?? '', operands.slice(1));
}

function serviceVerb(call: Call, verb: string, names: readonly string[]) {
  const subject = listed(names) || 'of the system';
  if (/^(?:stop|disable|mask|kill|freeze|isolate)$/u.test(verb))
    call.note(
      GUARDING.test(subject) ? 'protection' : 'stops',
      `${verb === 'stop' || verb === 'kill' ? 'stops' : 'switches off'} the service ${subject}${GUARDING.test(subject) ? ', a protection of the computer' : ''}`,
    );
  else if (/^(?:enable|reenable|link|preset|edit|set-property)$/u.test(verb))
    call.note('persists', `starts ${subject} with the computer from now on`);
  else if (/^(?:start|restart|reload|daemon-reload|try-restart)$/u.test(verb))
    call.note('runs', `${verb === 'start' ? 'starts' : 'restarts'} the service ${subject}`);
  else if (/^(?:poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency)$/u.test(verb))
    call.note('stops', 'shuts down or restarts the computer');
  else call.note('looks', `reads the state of services (${call.name})`);
}

/** Services that guard the computer or write its logs. */
const GUARDING =
  /apparmor|selinux|firewalld|ufw|nftables|iptables|fail2ban|clam|auditd|rsyslog|syslog|falcon|crowdstrike|sentinel|defender|ossec|wazuh|snort|suricata|aide|tripwire|rkhunter|alf|endpoint|antivirus/iu;

function launches(call: Call) {
  const [verb = '', ...rest] = call.args;
  const subject = listed(rest.filter((arg) => !arg.startsWith('-')).map(call.at));
  if (/^(?:load|bootstrap|enable|submit|start|kickstart)$/u.test(verb))
    call.note('persists', `starts ${subject} now or at each login`);
  else if (/^(?:unload|bootout|disable|remove|stop|kill)$/u.test(verb))
    call.note('stops', `switches off the service ${subject}`);
}

function editsCrontab(call: Call) {
  const { operands, flags } = readArguments(call.args, { letters: 'u' });
  if (flags.has('r')) return call.note('deletes', 'deletes the list of programs that run at set times (crontab)');
  if (flags.has('l')) return call.note('looks', 'lists the programs that run at set times (crontab)');
  const files = operands.filter((path) => path !== '-').map(call.at);
  call.note('persists', `makes programs run at set times (crontab ${listed(files)}`.trimEnd().concat(')'));
}

function schedules(call: Call) {
  call.note('persists', `starts a program later (${shortened([call.name, ...call.args].join(' '))})`);
  if (call.command.input !== '') call.shell(call.command.input);
}

function writesSettings(call: Call) {
  const { operands } = readArguments(call.args);
  const verb = operands[0] ?? '';
  if (!/^(?:write|delete|set|reset|import|reset-recursively|load)$/u.test(verb)) {
    if (call.name !== 'kwriteconfig5') return call.note('looks', `reads the settings ${listed(operands.slice(1))}`);
  }
  const subject = listed([operands.slice(1, 3).join(' ')]);
  const isGuard =
    /lock|screensaver|password|protection|firewall|gatekeeper|quarantine|lsquarantine|privacy|update|loginwindow|autostart|idle-activation/iu.test(
      subject,
    );
  const isReset = /^reset|^delete$/u.test(verb);
  const words = isReset ? `deletes the person's values of the setting ${subject}` : `changes the setting ${subject}`;
  call.note(isGuard ? 'protection' : isReset ? 'deletes' : 'changes', isGuard ? `${words} (protection)` : words);
}

function nmcli(call: Call) {
  if (call.args.some((arg) => /^(?:-s|--show-secrets)$/u.test(arg)) || call.args.includes('show-password'))
    return call.note(
      'credentials',
      `reads the passwords of wireless networks (nmcli ${shortened(call.args.join(' '))})`,
    );
  const words = shortened(call.args.join(' '));
  if (call.args.some((arg) => /^(?:off|down|disconnect|delete)$/u.test(arg)))
    return call.note('stops', `switches off the network (nmcli ${words})`);
  call.note('changes', `changes or reads the network (nmcli ${words})`);
}
