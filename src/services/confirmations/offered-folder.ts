import { dirname } from 'node:path';
import type { Prompt } from '../../contract/console.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import { visible } from '../prompt-words.ts';

/** A folder nearer to the root than this holds too much to be allowed in passing, such as the whole home folder. */
const LEAST_NAMES = 3;

/**
 * The folder that a prompt offers to allow: the one around the only path of the action that lies outside of the allowed folders, as
 * the agent found it. Nothing where it would be a hidden folder, a large part of the disk, or a name that cannot be read as it is.
 */
export function offeredFolder(
  { targets, actionType }: Pick<ActionRow, 'targets' | 'actionType'>,
  { outside = [], script }: Pick<Assessment, 'outside' | 'script'>,
): Pick<Prompt, 'folder'> {
  const found = filesIn(targets).find(({ path }) => path === outside[0]);
  if (outside.length !== 1 || found === undefined || found.secret !== undefined) return {};
  const access = CATALOGUE.get(actionType)?.effectClass === 'pure' ? 'read' : 'write';
  const isItself = found.kind === 'folder' && (access === 'read' || script !== undefined);
  const path = isItself ? found.realPath : dirname(found.realPath);
  const names = path.split('/').filter((name) => name !== '');
  const isPlain = names.length >= LEAST_NAMES && names.every((name) => !name.startsWith('.')) && visible(path) === path;
  if (!isPlain) return {};
  return { folder: { path, access } };
}
