import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createNotices } from '../../src/electron/user-interface.ts';

/** Notifications that note that they were closed. */
class FakeNotification extends EventEmitter {
  static isSupported = () => true;
  static all: FakeNotification[] = [];
  isClosed = false;
  constructor() {
    super();
    FakeNotification.all.push(this);
  }
  show(): void {
    return;
  }
  close(): void {
    this.isClosed = true;
  }
}

test('a notification that fails late does not make the newer one be forgotten', () => {
  const notices = createNotices({
    electron: { Notification: FakeNotification as never },
    watch: () => undefined,
    log: { warn: () => undefined },
  });
  let failures = 0;
  const failed = () => {
    failures += 1;
  };
  notices.call(1, failed);
  notices.call(2, failed);
  const [first, second] = FakeNotification.all;
  first?.emit('failed', {}, 'no signature');
  notices.close();
  expect([failures, first?.isClosed, second?.isClosed]).toEqual([1, true, true]);
});
