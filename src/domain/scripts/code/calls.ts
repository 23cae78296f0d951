import type { Danger } from '../finding.ts';

/** A function of a library, by the end of its dotted name, and its effect on the strings among its arguments. */
export type Effect =
  | {
      kind: 'danger';
      danger: Danger;
      verb: string /** Without it, the sentence needs no object. */;
      needsObject: boolean;
    }
  | { kind: 'read' | 'write'; verb: string }
  | { kind: 'open' | 'shell' | 'program' | 'evaluate' | 'decode' | 'request' | 'lookup' }
  | { kind: 'address'; danger: 'sends' | 'installs'; verb: string };

type Row = { names: RegExp; effect: Effect };

const danger = (danger: Danger, verb: string, needsObject = false): Effect => ({
  kind: 'danger',
  danger,
  verb,
  needsObject,
});
const writing = (verb: string): Effect => ({ kind: 'write', verb });

/** Python, JavaScript, Ruby, Perl and PHP use the same words for the same things. The first row that fits counts. */
const CALLS: readonly Row[] = [
  {
    names:
      /(?:^|\.)(?:rmtree|unlink(?:Sync)?|rmSync|rmdir(?:Sync)?|removedirs|remove_tree|rm_rf|rm_r|rimraf|removeSync|emptyDir(?:Sync)?|trashItemAtURL\w*|removeItemAtPath\w*)$/u,
    effect: danger('deletes', 'deletes'),
  },
  {
    names: /^(?:os|Path|fs|fsp|FileUtils|File|shutil|Deno|promises|fs\.promises)\.(?:remove|rm|delete|del)$/u,
    effect: danger('deletes', 'deletes'),
  },
  { names: /^(?:send2trash|trash|del|shell\.trashItem)$/u, effect: danger('deletes', 'moves to the trash', true) },
  {
    names:
      /(?:^|\.)(?:system|popen|exec(?:Sync)?|getoutput|getstatusoutput|create_subprocess_shell|shell_exec|passthru|execSync|doShellScript|execaCommand)$/u,
    effect: { kind: 'shell' },
  },
  {
    names:
      /^(?:subprocess|child_process|cp|sp|proc|childProcess)\.\w+$|^(?:Popen|check_output|check_call|spawn(?:Sync)?|execFile(?:Sync)?|fork|execa|\$)$|^os\.(?:exec|spawn|posix_spawn)\w*$|^(?:pty\.spawn|Deno\.(?:run|Command)|Bun\.spawn(?:Sync)?|asyncio\.create_subprocess_exec)$|(?:^|\.)launchedTaskWith\w*$/u,
    effect: { kind: 'program' },
  },
  {
    names:
      /^(?:eval|exec|execfile|Function|compile|__import__|instance_eval|vm\.run\w*|importlib\.import_module|marshal\.loads|pickle\.loads?)$/u,
    effect: { kind: 'evaluate' },
  },
  {
    names:
      /(?:^|\.)(?:b64decode|codecs\.decode|b32decode|urlsafe_b64decode|a85decode|unhexlify|fromhex|atob|decode64|base64_decode|decompress)$/u,
    effect: { kind: 'decode' },
  },
  {
    names:
      /(?:^|\.)(?:requests|httpx|axios|session|got|superagent|ky|needle)\.(?:post|put|patch|delete|request)$|(?:^|\.)sendBeacon$/u,
    effect: { kind: 'address', danger: 'sends', verb: 'sends data to' },
  },
  {
    names:
      /(?:^|\.)(?:SMTP(?:_SSL)?|sendmail|send_message|sendMail|createTransport|FTP(?:_TLS)?|storbinary|SSHClient|create_connection|createConnection|WebSocket|open_connection|TCPSocket\.(?:new|open)|net\.connect|Socket\.connect)$/u,
    effect: { kind: 'address', danger: 'sends', verb: 'connects to, or sends data to' },
  },
  {
    names: /(?:^|\.)(?:put_object|upload_file|upload_fileobj|upload_blob|upload_from_filename)$/u,
    effect: danger('sends', 'uploads'),
  },
  {
    names: /(?:^|\.)(?:gethostbyname(?:_ex)?|getaddrinfo|lookup|resolve[46]?|resolve(?:Any|Cname|Mx|Txt))$/u,
    effect: { kind: 'lookup' },
  },
  {
    names: /(?:^|\.)(?:connect_ex|PortScanner|nmap\.PortScanner|arping|srp?1?)$/u,
    effect: { kind: 'address', danger: 'sends', verb: 'scans or connects to' },
  },
  {
    names:
      /^(?:s|sock|client|socket|conn|ssh|smtp|server|ftp|net|tls)\.(?:connect|sendall|sendto|login|createConnection)$/u,
    effect: { kind: 'address', danger: 'sends', verb: 'connects to, or sends data to' },
  },
  {
    names:
      /(?:^|\.)(?:urlopen|fetch|XMLHttpRequest|HTTPSConnection|HTTPConnection)$|(?:^|\.)(?:requests|httpx|axios|got|https?|session|ky|superagent)\.(?:get|request|stream|head)$|^(?:axios|got|ky)$|^(?:Net::HTTP|open_uri|URI\.open)/u,
    effect: { kind: 'address', danger: 'installs', verb: 'connects to' },
  },
  { names: /(?:^|\.)request$/u, effect: { kind: 'request' } },
  {
    names: /(?:^|\.)(?:urlretrieve|download|downloadFile|wget\.download)$/u,
    effect: { kind: 'address', danger: 'installs', verb: 'downloads from' },
  },
  {
    names: /(?:^|\.)(?:HTTPServer|TCPServer|createServer|serve_forever|start_server)$/u,
    effect: danger('sends', 'opens a port to other programs or computers'),
  },
  {
    names:
      /(?:^|\.)(?:write_text|write_bytes|writeFile(?:Sync)?|createWriteStream|writeToFile\w*|outputFile(?:Sync)?|writeTextFile(?:Sync)?|file_put_contents|to_csv|to_excel)$/u,
    effect: writing('overwrites'),
  },
  { names: /(?:^|\.)appendFile(?:Sync)?$/u, effect: writing('adds to') },
  { names: /(?:^|\.)(?:truncate(?:Sync)?|ftruncate)$/u, effect: writing('cuts off') },
  {
    names: /^(?:os|shutil|fs|fsp|FileUtils|File|promises)\.(?:rename(?:Sync)?|replace|renames|move|mv)$/u,
    effect: danger('overwrites', 'moves'),
  },
  {
    names: /^(?:shutil\.(?:copy\w*)|fs\.(?:cp|copyFile)(?:Sync)?|fsp\.copyFile|FileUtils\.cp\w*|File\.copy)$/u,
    effect: danger('changes', 'copies'),
  },
  {
    names:
      /(?:^|\.)(?:chmod(?:Sync)?|chown(?:Sync)?|lchown|chflags|setxattr|symlink(?:Sync)?|symlink_to|link(?:Sync)?)$/u,
    effect: danger('changes', 'changes permissions or links of'),
  },
  {
    names:
      /^(?:open|io\.open|codecs\.open|gzip\.open|zipfile\.ZipFile|ZipFile|tarfile\.open|sqlite3\.connect|File\.open|File\.new|fopen|fs\.open(?:Sync)?|Path\.open|os\.open|fsp\.open|fs\.promises\.open)$/u,
    effect: { kind: 'open' },
  },
  {
    names:
      /(?:^|\.)(?:read_text|read_bytes|readFile(?:Sync)?|createReadStream|readTextFile(?:Sync)?|file_get_contents|read_csv|read_excel|read_json|loadtxt|stringWithContentsOfFile\w*)$|^File\.read(?:lines)?$/u,
    effect: { kind: 'read', verb: 'reads' },
  },
  {
    names: /(?:^|\.)(?:listdir|scandir|walk|iterdir|glob|rglob|readdir(?:Sync)?|globSync)$/u,
    effect: danger('looks', 'lists'),
  },
  {
    names: /^(?:os|process)\.(?:kill|killpg|abort)$|^psutil\.Process$|(?:^|\.)(?:forceTerminate|killall)$/u,
    effect: danger('stops', 'ends other programs'),
  },
  {
    names: /(?:^|\.)(?:CronTab|Schedule\.Service|LoginItem\w*)$/u,
    effect: danger('persists', 'starts programs at set times from now on'),
  },
  {
    names:
      /^psutil\.(?:process_iter|pids|net_connections|users|net_if_addrs)$|^(?:platform|os|socket)\.(?:uname|platform|node|gethostname|getlogin|networkInterfaces|userInfo)$/u,
    effect: danger('looks', 'reads facts about the computer and its programs'),
  },
  { names: /^(?:pip|pip\._internal|pip\._internal\.cli\.main)\.main$/u, effect: danger('installs', 'installs', true) },
  { names: /^os\.fork$/u, effect: danger('stops', 'starts copies of itself') },
  {
    names: /^(?:keyring\.get_\w+|keytar\.\w+|getpass\.getpass|win32crypt\.\w+|browser_cookie3\.\w+|spwd\.\w+)$/u,
    effect: danger('credentials', 'reads passwords'),
  },
  {
    names: /(?:^|\.)(?:pyperclip\.paste|clipboard\.readText|readText|theClipboard|get_clipboard\w*)$/u,
    effect: danger('records', 'reads the clipboard'),
  },
  {
    names: /(?:^|\.)(?:ImageGrab\.grab|screenshot|desktopCapturer\.getSources|mss\.mss|getDisplayMedia)$/u,
    effect: danger('records', 'takes pictures of the screen'),
  },
  {
    names:
      /(?:^|\.)(?:keyboard\.(?:on_press|record|hook|Listener|read_event)|Listener|GlobalKeyboardListener|VideoCapture|getUserMedia|sounddevice\.rec|PyAudio)$/u,
    effect: danger('records', 'records the keyboard, the camera or the microphone'),
  },
  {
    names: /(?:^|\.)(?:pyautogui\.\w+|keystroke|keyCode|robotjs\.\w+|moveMouse|typeString)$/u,
    effect: danger('records', 'types and clicks in other apps'),
  },
  {
    names: /(?:^|\.)(?:Fernet|encrypt(?:_file|Sync)?|createCipheriv|AES\.new|ChaCha20\w*\.new|publicEncrypt)$/u,
    effect: danger('encrypts', 'encrypts data'),
  },
  {
    names: /(?:^|\.)(?:setuid|seteuid|setgid|sethostname|reboot|mount|umount|chroot|setLoginItemSettings)$/u,
    effect: danger('accounts', 'changes rights or the system'),
  },
  {
    names: /(?:^|\.)(?:dropDatabase|deleteMany|drop_all|flushall|dropTable|drop_collection|drop_database)$/u,
    effect: danger('deletes', 'deletes data of a database'),
  },
  { names: /^(?:webbrowser\.open\w*|open|shell\.openExternal|os\.startfile)$/u, effect: danger('runs', 'opens', true) },
  {
    names: /^(?:ctypes\.\w+|ffi\.\w+|process\.dlopen|process\.binding)$/u,
    effect: danger('runs', 'calls functions of the system past its language'),
  },
];

/** The effect of a call. Long names fit no row, and cost nothing. */
export function effectOf(name: string): Effect | undefined {
  return name.length > 120 ? undefined : CALLS.find(({ names }) => names.test(name))?.effect;
}
