import {
  ListFilesParameters,
  MAX_FORMER_BYTES,
  MoveFileParameters,
  ReadFileParameters,
  type ResolvedPath,
  TrashFileParameters,
  WriteFileParameters,
} from '../../contract/files.ts';
import { UNDO_WORDS } from '../../contract/undo-limits.ts';
import { assessRisk, type RiskRule } from '../risk.ts';
import { noticedInSentence, rulesOfNoticed } from '../scripts/noticed-words.ts';
import { lastingEffectAt, personalRecordsAt, secretNamed } from '../scripts/places.ts';
import { dangersWritten } from '../scripts/written-script.ts';
import { defineAction } from './definition.ts';
import { fileTarget, foundAt, kindAt, pathFault, shownPath } from './file-target.ts';

export const listFiles = defineAction({
  name: 'ListFiles',
  summary: 'Lists the names, sizes and times of the files in a folder',
  capability: 'canAccessFiles',
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'In folders that the person allowed; others ask.',
  isUsual: true,
  parameters: ListFilesParameters,
  faults: ({ path }) => pathFault('/path', path),
  assess({ path, depth = 1 }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'read' }], seen);
    const levels = depth === 1 ? '' : ` and ${depth - 1} ${depth === 2 ? 'level' : 'levels'} below it`;
    return {
      ...facts,
      risk: assessRisk({ level: 'low', reason: 'It reads names, and no contents.' }, rules),
      sentence: `List the files in ${shownPath(path, seen)}${levels}`,
      changes: 'Changes nothing.',
    };
  },
});

export const readFile = defineAction({
  name: 'ReadFile',
  summary: 'Reads a file, as text or as an artifact',
  capability: 'canAccessFiles',
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'In folders that the person allowed; others ask.',
  isUsual: true,
  parameters: ReadFileParameters,
  faults: ({ path }) => pathFault('/path', path),
  assess({ path }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'read' }], seen);
    const shown = shownPath(path, seen);
    const held = secretNamed(shown) ?? personalRecordsAt(shown);
    return {
      ...facts,
      risk: assessRisk({ level: 'low', reason: 'It reads a file in a folder that you allowed.' }, [
        ...rules,
        ...personalRule(held),
      ]),
      sentence: `Read the file ${shown}${held === undefined ? '' : `, which holds ${held} by its name`}`,
      changes: 'Changes nothing; contents that were handed out cannot be taken back.',
    };
  },
});

export const writeFile = defineAction({
  name: 'WriteFile',
  summary: `Writes a file, whole; the former version is kept for up to ${UNDO_WORDS.keptFor}`,
  capability: 'canAccessFiles',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'Give content or artifactId.',
  isUsual: true,
  mayHaveUndo: true,
  parameters: WriteFileParameters,
  faults({ path, content, artifactId }) {
    const isOne = (content === undefined) !== (artifactId === undefined);
    const contents = isOne ? [] : [{ pointer: '', message: 'give either content or artifactId' }];
    return [...pathFault('/path', path), ...contents];
  },
  assess({ path, content, artifactId, overwrite = false }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'write' }], seen);
    const found = foundAt(path, seen);
    const replaces = overwrite && found?.kind !== 'missing';
    const shown = shownPath(path, seen);
    const noticed = dangersWritten(shown, content ?? '');
    const replacing = { level: 'high', reason: `It replaces the contents of ${shown}.` } as const;
    const size = content === undefined ? 'the contents of an artifact' : `${Buffer.byteLength(content)} bytes`;
    return {
      ...facts,
      artifactId,
      risk: assessRisk({ level: 'medium', reason: 'It creates a file, which other programs may read or run.' }, [
        ...rules,
        ...(replaces ? [replacing] : []),
        ...lastingRule(shown),
        ...rulesOfNoticed(noticed),
      ]),
      sentence: `${replaces ? 'Overwrite' : 'Create'} the file ${shown}${lastingWords(shown)}${lastingWords(shown) === '' ? '' : ','} with ${size}${noticedInSentence(noticed)}`,
      changes: replaces ? replacingWords(found) : 'Creates a file. A file that exists stays as it is.',
    };
  },
});

export const moveFile = defineAction({
  name: 'MoveFile',
  summary: 'Moves or renames a file or folder; never over one that exists',
  capability: 'canAccessFiles',
  effectClass: 'once',
  baseRisk: 'medium',
  isUsual: true,
  parameters: MoveFileParameters,
  faults: ({ from, to }) => [...pathFault('/from', from), ...pathFault('/to', to)],
  assess({ from, to }, seen) {
    const wanted = [
      { path: from, access: 'write' },
      { path: to, access: 'write' },
    ] as const;
    const { rules, facts } = fileTarget(wanted, seen);
    return {
      ...facts,
      risk: assessRisk({ level: 'medium', reason: 'Programs may look for the file at its former place.' }, [
        ...rules,
        ...lastingRule(shownPath(to, seen)),
      ]),
      sentence: `Move ${shownPath(from, seen)} to ${shownPath(to, seen)}${lastingWords(shownPath(to, seen))}`,
      changes: 'Moves the file or folder. Moving it back restores it.',
    };
  },
});

export const trashFile = defineAction({
  name: 'TrashFile',
  summary: 'Moves a file or folder to the trash; never deletes it for good',
  capability: 'canAccessFiles',
  effectClass: 'once',
  baseRisk: 'high',
  mayHaveUndo: true,
  parameters: TrashFileParameters,
  faults: ({ path }) => pathFault('/path', path),
  assess({ path }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'write' }], seen);
    const shown = shownPath(path, seen);
    const isFolder = kindAt(path, seen) === 'folder';
    return {
      ...facts,
      risk: assessRisk({ level: 'high', reason: `It takes ${shown} away from its place.` }, rules),
      sentence: `Move the ${isFolder ? 'folder' : 'file'} ${shown}${isFolder ? ' with everything in it' : ''} to the trash`,
      changes: `Moves it to the trash. You can undo this for ${UNDO_WORDS.keptFor}, unless the trash is emptied.`,
    };
  },
});

/** In an allowed folder too, a file whose name tells of passwords or personal records is worth a prompt. */
function personalRule(held: string | undefined): RiskRule[] {
  return held === undefined ? [] : [{ level: 'medium', reason: `Its name says that it holds ${held}.` }];
}

/** How a replaced file can come back. One that is too large for a copy is refused by the agent, so that nothing is lost for good. */
function replacingWords(found: ResolvedPath | undefined): string {
  if ((found?.sizeBytes ?? 0) <= MAX_FORMER_BYTES)
    return `Replaces the whole file. You can undo this for ${UNDO_WORDS.keptFor}, unless newer copies need the room: Handrail keeps at most ${UNDO_WORDS.quota}, and removes the oldest of the requester that uses the most.`;
  return `The file is larger than ${MAX_FORMER_BYTES / 1024 ** 2} MiB. Handrail keeps no copy of so large a file and could not undo this, so the action will fail and the file stays as it is.`;
}

function lastingRule(path: string): RiskRule[] {
  const effect = lastingEffectAt(path);
  return effect === undefined ? [] : [{ level: 'critical', reason: `It changes a place ${effect}.` }];
}

function lastingWords(path: string): string {
  const effect = lastingEffectAt(path);
  return effect === undefined ? '' : `, ${effect}`;
}
