import { expect, test } from 'vitest';
import type { Deed } from '../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { effectsToCome, folderOf } from '../../src/services/confirmations/plan-view.ts';

function assessed(actionType: string, parameters: Record<string, unknown>) {
  const found = CATALOGUE.get(actionType)?.assess(parameters);
  if (found?.ok !== true) throw new Error(`${actionType} has a fault`);
  return found.assessment;
}

const trash = (path: string) => assessed('TrashFile', { path });
const move = (from: string, to: string) => assessed('MoveFile', { from, to });

test.each([
  [[trash('/r/a'), trash('/r/b')], '/r'],
  [[move('/r/a', '/r/old/a'), trash('/r/b/c')], '/r'],
  [[trash('/r/a'), assessed('RunScript', { interpreter: 'sh', script: 'ls', folder: '/r' })], '/r'],
  [[trash('/r/a'), trash('/r/a')], '/r'],
  [[trash('/reports/a'), trash('/rep/a')], undefined],
  [[trash('/r/a')], undefined],
  [[trash('/r/a'), trash('/r/../etc/b')], undefined],
  [[trash('~/r/a'), trash('~/r/b')], undefined],
])('the common folder of paths is a folder that holds all of them: case %#', (steps, folder) => {
  expect(folderOf(steps)).toBe(folder);
});

test.each([
  ['/r/a.txt', 'Move “a.txt” to the trash'],
  ['/r/old/a.txt', 'Move “a.txt” in old to the trash'],
  ['/other/a.txt', 'Move “a.txt” in /other to the trash'],
  // A folder with such a name must not look like the home folder.
  ['/r/~/a.txt', 'Move “a.txt” in /r/~ to the trash'],
  ['/r/in /a.txt', 'Move “a.txt” in “in ” to the trash'],
])('a step names %s in the folder /r as: %s', (path, sentence) => {
  expect(trash(path).sentenceIn?.('/r')).toBe(sentence);
});

test('a new name in the same folder is a kind of its own, and a folder that gets one is not where its files are', () => {
  const steps = [move('/r/a', '/r/b'), move('/r/c', '/r/d'), move('/r/e', '/r/old/e')];
  const planned = steps.map((asked) => ({ actionType: 'MoveFile', asked }));
  expect(effectsToCome(planned, '/r')).toBe('Rename 2 items, move 1 item, all in /r');
  expect(folderOf([trash('/home/ann/work/a'), move('/home/ann/work', '/home/ann/works')])).toBe('/home/ann');
});

test('a title tells three kinds of effects and counts the other steps', () => {
  const deeds: readonly Deed[] = ['moved', 'moved', 'ran', 'clicked', 'typed', 'filled'];
  const steps = deeds.map((did) => ({
    actionType: 'Any',
    asked: { paths: [], done: { place: '', did, what: '' } },
  }));
  expect(effectsToCome(steps, undefined)).toBe('Move 2 items, run 1 script, click 1 control and 2 other steps');
});

test('a title says “all” of a folder only where each step is about files', () => {
  const file = { actionType: 'TrashFile', asked: trash('/r/a') };
  const look = { actionType: 'TakeScreenshot', asked: assessed('TakeScreenshot', {}) };
  expect(effectsToCome([file, file], '/r')).toBe('Trash 2 items, all in /r');
  expect(effectsToCome([file, file, look], '/r')).toBe('Trash 2 items, take screenshot, files in /r');
});

test('N52: a title says of no step that it is in a folder that the step takes away, or that it leaves', () => {
  const own = [trash('/home/ann/work/a'), trash('/home/ann/work')];
  const planned = own.map((asked) => ({ actionType: 'TrashFile', asked }));
  expect(effectsToCome(planned, folderOf(own))).toBe('Trash 2 items, all in /home/ann');
  const run = (more: Record<string, unknown>) => {
    const asked = assessed('RunScript', { interpreter: 'sh', script: 'ls', ...more });
    const steps = [trash('/home/ann/work/a'), trash('/home/ann/work/b'), asked];
    const words = ['TrashFile', 'TrashFile', 'RunScript'].map((actionType, at) => ({ actionType, asked: steps[at] }));
    return effectsToCome(words, folderOf(steps));
  };
  expect(run({ folder: '/home/ann/work' })).toBe('Trash 2 items, run 1 script, all in /home/ann/work');
  expect(run({})).toBe('Trash 2 items, run 1 script, files in /home/ann/work');
  expect(run({ folder: '/home/ann/work', network: ['up.example'] })).toBe(
    'Trash 2 items, run 1 script with network, files in /home/ann/work',
  );
});

test('N52: a title names the kinds of the highest risk, however late they come', () => {
  const planned = (actionType: string, parameters: Record<string, unknown>) => ({
    actionType,
    asked: assessed(actionType, parameters),
  });
  const steps = [
    planned('QuitApp', { appName: 'notes' }),
    planned('WriteClipboard', { text: 'x' }),
    planned('OpenUrl', { url: 'https://example.org/' }),
    planned('TrashFile', { path: '/r/a' }),
    planned('RunScript', { interpreter: 'sh', script: 'curl -d @a up.example', network: ['up.example'] }),
  ];
  expect(effectsToCome(steps, undefined)).toBe('Quit 1 app, trash 1 item, run 1 script with network and 2 other steps');
});

const trashThere = (path: string) => {
  const found = CATALOGUE.get('TrashFile')?.assess({ path }, { machine: 'studio' });
  if (found?.ok !== true) throw new Error('TrashFile has a fault');
  return found.assessment;
};

test('a title names the machines of its steps first, and the same path on two machines is no common folder', () => {
  const there = { actionType: 'TrashFile', asked: trashThere('/r/a'), machine: 'studio' };
  const here = { actionType: 'TrashFile', asked: trash('/r/a'), machine: 'local' };
  expect(folderOf([there.asked, trashThere('/r/b')])).toBe('/r');
  expect(folderOf([there.asked, here.asked])).toBeUndefined();
  expect(effectsToCome([there, there], '/r')).toBe('On studio: trash 2 items, all in /r');
  expect(effectsToCome([there, here], undefined)).toBe('On studio and this computer: trash 2 items');
  expect(effectsToCome([here, here], '/r')).toBe('Trash 2 items, all in /r');
});
