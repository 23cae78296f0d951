import { describe, expect, test } from 'vitest';
import { createSlots } from '../../../src/services/actions/waiting.ts';
import { createFakeClock } from '../fake-clock.ts';

function start() {
  const clock = createFakeClock();
  const called: string[] = [];
  let timers = 0;
  const slots = createSlots({
    ...clock,
    after(delayMs, callback) {
      timers += 1;
      return clock.after(delayMs, callback);
    },
  });
  const begin = (id: string, delayMs: number, callback: () => void = () => called.push(id)) => {
    slots.take(id, 'wait');
    slots.watch(id, delayMs, callback);
  };
  return { clock, called, slots, begin, timers: () => timers };
}

describe('an attempt under way', () => {
  test('is called back when it is due, each at its own time and once', () => {
    const { clock, called, begin } = start();
    begin('slow', 300);
    begin('quick', 100);
    begin('middle', 200);
    clock.advance(99);
    expect(called).toEqual([]);
    clock.advance(1);
    expect(called).toEqual(['quick']);
    clock.advance(200);
    expect(called).toEqual(['quick', 'middle', 'slow']);
    clock.advance(10_000);
    expect(called).toHaveLength(3);
  });

  test('is not called back once it is released, no longer watched, or watched anew', () => {
    const { clock, called, slots, begin } = start();
    begin('released', 100);
    begin('unwatched', 100);
    begin('extended', 100);
    slots.release('released');
    slots.unwatch('unwatched');
    slots.watch('extended', 150, () => called.push('later'));
    clock.advance(100);
    expect(called).toEqual([]);
    clock.advance(50);
    expect(called).toEqual(['later']);
    expect(slots.ids()).toEqual(['unwatched', 'extended']);
  });

  test('is not called back where another one that is due at the same time releases it or gives it more time', () => {
    const { clock, called, slots, begin } = start();
    begin('first', 100, () => {
      slots.release('second');
      slots.watch('third', 50, () => called.push('third'));
    });
    begin('second', 100);
    begin('third', 100);
    clock.advance(100);
    expect(called).toEqual([]);
    clock.advance(50);
    expect(called).toEqual(['third']);
  });

  test('can be watched again when it was called back', () => {
    const { clock, called, slots, begin } = start();
    begin('again', 100, () => slots.watch('again', 100, () => called.push('second')));
    clock.advance(200);
    expect(called).toEqual(['second']);
  });

  test('costs no timer while one looks earlier', () => {
    const { clock, called, slots, begin, timers } = start();
    for (let round = 0; round < 50; round += 1) {
      begin('one', 1_000);
      clock.advance(10);
      slots.release('one');
    }
    expect(timers()).toBe(1);
    begin('last', 1_000);
    clock.advance(999);
    expect(called).toEqual([]);
    clock.advance(1);
    expect(called).toEqual(['last']);
    expect(timers()).toBe(2);
  });
});
