import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { listed, shortened } from '../finding.ts';

type Manager = { installs: RegExp; removes?: RegExp; runs?: RegExp };

const USUAL: Manager = {
  installs: /^(?:install|in|add|reinstall|upgrade|update|up|dist-upgrade|full-upgrade|localinstall)$/u,
  removes: /^(?:remove|rm|uninstall|purge|autoremove|erase|un)$/u,
};

const MANAGERS: Readonly<Record<string, Manager>> = {
  ...Object.fromEntries(
    [
      'apt',
      'apt-get',
      'aptitude',
      'dnf',
      'yum',
      'zypper',
      'apk',
      'brew',
      'port',
      'snap',
      'flatpak',
      'nix',
      'choco',
      'pip',
      'pip2',
      'pip3',
      'uv',
      'poetry',
      'conda',
      'mamba',
      'gem',
      'cargo',
      'go',
      'composer',
      'mas',
      'pkg',
      'easy_install',
      'cpan',
      'luarocks',
      'helm',
      'krew',
      'asdf',
      'mise',
      'sdk',
    ].map((name) => [name, USUAL]),
  ),
  npm: { ...USUAL, installs: /^(?:i|install|add|ci|update|up|in)$/u, runs: /^(?:exec|x|init|create)$/u },
  pnpm: { ...USUAL, installs: /^(?:i|install|add|update|up)$/u, runs: /^(?:dlx|exec|create)$/u },
  yarn: { ...USUAL, installs: /^(?:install|add|upgrade|up)$/u, runs: /^(?:dlx|create)$/u },
  bun: { ...USUAL, installs: /^(?:i|install|add|update)$/u, runs: /^(?:x|create)$/u },
  pipx: { ...USUAL, runs: /^run$/u },
  pacman: { installs: /^-(?:S|U)/u, removes: /^-R/u },
  yay: { installs: /^-(?:S|U)/u, removes: /^-R/u },
  dpkg: { installs: /^(?:-i|--install|--unpack)$/u, removes: /^(?:-r|-P|--remove|--purge)$/u },
  rpm: { installs: /^(?:-\w*[iUF]\w*|--install|--upgrade)$/u, removes: /^(?:-e|--erase)$/u },
  code: { installs: /^--install-extension$/u },
  installer: { installs: /^-pkg$/u },
  softwareupdate: { installs: /^(?:-i|--install)$/u },
};

const VALUED = /^(?:-r|--requirement|-t|-c|-i|--index-url|--extra-index-url|--prefix|--registry|-target)$/u;

/** Programs that install or remove other programs, or get them from the network and run them. */
export const PACKAGE_COMMANDS: Handlers = {
  ...Object.fromEntries(Object.entries(MANAGERS).map(([name, manager]) => [name, managed(manager)])),
  npx: downloadsAndRuns,
  bunx: downloadsAndRuns,
  uvx: downloadsAndRuns,
  pnpx: downloadsAndRuns,
  docker: containers,
  podman: containers,
  nerdctl: containers,
  'docker-compose': compose,
};

function managed({ installs, removes, runs }: Manager): Handler {
  return (call) => {
    const args = call.name === 'uv' && call.args[0] === 'pip' ? call.args.slice(1) : call.args;
    const at = args.findIndex((arg) => installs.test(arg) || removes?.test(arg) === true || runs?.test(arg) === true);
    const verb = args[at];
    if (verb === undefined) return other(call);
    const names = args
      .slice(at + 1)
      .filter((arg, index, all) => !arg.startsWith('-') && !VALUED.test(all[index - 1] ?? ''));
    const objects = listed(names) || (call.name === 'go' ? 'a module' : `packages (${call.name} ${shortened(verb)})`);
    if (removes?.test(verb) === true) return call.note('deletes', `removes the program ${objects}`);
    if (runs?.test(verb) === true) return call.note('installs', `downloads and runs ${listed(names.slice(0, 1))}`);
    call.note('installs', `installs ${objects}`);
    if (args.some((arg) => /^(?:--(?:extra-)?index-url|--registry|-i)$/u.test(arg)))
      call.note('installs', 'takes packages from another place than the usual one');
  };
}

function other(call: Call) {
  const [verb = ''] = call.args;
  if (/^(?:-l|-s|-q\w*|list|ls|show|search|info|freeze|--list|--get-selections)$/u.test(verb))
    return call.note('looks', `lists programs (${shortened([call.name, ...call.args].join(' '))})`);
  if (/^(?:publish|push)$/u.test(verb)) call.note('sends', `publishes a package (${call.name})`);
  else if (verb === 'config' || verb === 'tap') call.note('changes', `changes where ${call.name} gets packages`);
  else if (verb === 'run' || verb === 'start' || verb === 'test')
    call.note('runs', `runs ${call.name} ${shortened(call.args.slice(0, 2).join(' '))}`);
}

function downloadsAndRuns(call: Call) {
  const [name = ''] = readArguments(call.args, { letters: 'pc', words: ['package', 'from'] }).operands;
  call.note('installs', `downloads and runs ${shortened(name)}`);
}

/** `down -v` and `rm` delete what the containers kept. */
function compose(call: Call) {
  const words = shortened([call.name, ...call.args].join(' '));
  if (/\b(?:down|rm)\b/u.test(words)) call.note('deletes', `deletes containers, images or volumes (${words})`);
  else if (/\b(?:stop|kill|pause)\b/u.test(words)) call.note('stops', `stops the containers (${words})`);
  else call.note('runs', `runs the containers of a Compose file (${shortened(call.args.join(' '))})`);
}

function containers(call: Call) {
  const words = readArguments(call.args, { letters: 'H', words: ['context', 'host'] }).operands;
  const isGroup = /^(?:image|container|volume|network|system|compose|builder)$/u.test(words[0] ?? '');
  const verb = words[isGroup ? 1 : 0] ?? '';
  const names = words.slice(isGroup ? 2 : 1);
  if (verb === 'pull') return call.note('installs', `downloads the container image ${listed(names)}`);
  if (verb === 'push') return call.note('sends', `sends the container image ${listed(names)} to a registry`);
  if (/^(?:rm|rmi|prune|down|remove)$/u.test(verb))
    return call.note('deletes', `deletes containers, images or volumes (${shortened([...words].join(' '))})`);
  if (/^(?:stop|kill|restart|pause)$/u.test(verb)) return call.note('stops', `stops the container ${listed(names)}`);
  if (/^(?:cp|export|save)$/u.test(verb))
    return call.note('changes', `copies files between containers and this computer (${listed(names)})`);
  if (!/^(?:run|exec|create|start|up|build)$/u.test(verb)) return;
  const isWide = call.args.some(
    (arg) => /^(?:--privileged|--pid=host|--net=host)$/u.test(arg) || /^(?:--volume=|-v)?\/(?::|$)/u.test(arg),
  );
  call.note(
    isWide ? 'protection' : 'runs',
    isWide
      ? `downloads and runs the container ${listed(names.slice(0, 1))} with control of this computer`
      : `runs the container ${listed(names.slice(0, 1))}`,
  );
}
