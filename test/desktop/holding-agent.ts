import { openSeat } from '../../agent/drivers/linux/input/seat.ts';

/** Holds a key and a button for ever, so that a test can kill it in the middle. */
const seat = await openSeat(String(process.env.DISPLAY));
const [keycode = ''] = process.argv.slice(2);
await seat.send([
  { kind: 'key', keycode: Number(keycode), isDown: true },
  { kind: 'button', button: 1, isDown: true },
]);
process.stdout.write('held\n');
