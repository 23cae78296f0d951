import { dirname } from 'node:path';
import type { Prompt } from '../../contract/console.ts';
import type { ResolvedPath } from '../../contract/files.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { filesIn, isHiddenPlace } from '../../domain/catalogue/file-target.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import { visible } from '../prompt-words.ts';

/** A folder nearer to the root than this holds too much to be allowed in passing, such as the whole home folder. */
const LEAST_NAMES = 3;

/**
 * The folder that a prompt offers to allow: the one around all paths of the action that lie outside of the allowed folders, as the agent
 * found them. Nothing where it would be a hidden folder, a large part of the disk, or a name that cannot be read as it is, and nothing
 * at critical risk. A folder is allowed on this computer only.
 */
export function offeredFolder(
  { targets, actionType, risk }: Pick<ActionRow, 'targets' | 'actionType' | 'risk'>,
  { outside = [], script, machine }: Pick<Assessment, 'outside' | 'script' | 'machine'>,
): Pick<Prompt, 'folder'> {
  if (machine !== undefined) return {};
  const files = filesIn(targets).filter(({ path }) => outside.includes(path));
  const isFound = outside.length > 0 && outside.every((path) => files.some((file) => file.path === path));
  if (!isFound || files.some(({ secret }) => secret !== undefined) || risk.level === 'critical') return {};
  const access = CATALOGUE.get(actionType)?.effectClass === 'pure' ? 'read' : 'write';
  const isItself = ({ kind }: ResolvedPath) => kind === 'folder' && (access === 'read' || script !== undefined);
  const [path = '', ...others] = new Set(
    files.map((file) => (isItself(file) ? file.realPath : dirname(file.realPath))),
  );
  if (others.length > 0) return {};
  const names = path.split('/').filter((name) => name !== '');
  const isPlain = names.length >= LEAST_NAMES && !isHiddenPlace(path) && visible(path) === path;
  if (!isPlain) return {};
  return { folder: { path, access } };
}
