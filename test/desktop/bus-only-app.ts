import { spawn } from 'node:child_process';
import { sessionBus } from 'dbus-native';

/** An app that has no command: it sits on the bus under its desktop id and shows a window when it is activated there. */
const id = process.argv[2] ?? '';
const bus = sessionBus();
const application = {
  Activate() {
    spawn('xterm', ['-class', 'BusOnly', '-T', 'activated'], { stdio: 'ignore', detached: true }).unref();
    return null;
  },
};
bus.exportInterface(application, `/${id.replaceAll('.', '/').replaceAll('-', '_')}`, {
  name: 'org.freedesktop.Application',
  methods: { Activate: ['a{sv}', '', ['platform_data'], []] },
});
await bus.requestName(id, 0);
