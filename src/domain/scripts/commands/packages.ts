import type { Call, Handler, Handlers } from '../call.ts';
import { listed, shortened } from '../finding.ts';
import { forAll } from './rows.ts';

type Manager = { installs: RegExp; removes?: RegExp; runs?: RegExp };

const USUAL: Manager = {
  installs: /^(?:i|install|in|add|ci|reinstall|upgrade|update|up|dist-upgrade|full-upgrade|localinstall)$/u,
  removes: /^(?:remove|rm|uninstall|purge|autoremove|erase|un)$/u,
  runs: /^(?:dlx|exec|x|init|create)$/u,
};
const PACMAN: Manager = { installs: /^-(?:S|U)/u, removes: /^-R/u };

const VALUED = /^(?:-r|--requirement|-t|-c|-i|--index-url|--extra-index-url|--prefix|--registry|-target)$/u;

const USUAL_NAMES =
  'apt apt-get aptitude dnf yum zypper apk brew port snap flatpak nix choco pip pip2 pip3 uv poetry conda mamba gem cargo go composer mas pkg easy_install cpan luarocks helm krew asdf mise sdk npm pnpm yarn bun';

/** Programs that install or remove other programs. */
export const PACKAGE_COMMANDS: Handlers = {
  ...forAll(USUAL_NAMES, managed(USUAL)),
  ...forAll('pacman yay', managed(PACMAN)),
  pipx: managed({ ...USUAL, runs: /^run$/u }),
  dpkg: managed({ installs: /^(?:-i|--install|--unpack)$/u, removes: /^(?:-r|-P|--remove|--purge)$/u }),
  rpm: managed({ installs: /^(?:-\w*[iUF]\w*|--install|--upgrade)$/u, removes: /^(?:-e|--erase)$/u }),
  code: managed({ installs: /^--install-extension$/u }),
  installer: managed({ installs: /^-pkg$/u }),
  softwareupdate: managed({ installs: /^(?:-i|--install)$/u }),
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
