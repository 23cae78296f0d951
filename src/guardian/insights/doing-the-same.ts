import { doing } from '../../contract/doing.ts';

/** An action type as a verb with its object, such as `open the same app`. A type without an object is a verb alone. */
export function doingTheSame(actionType: string): string {
  const [verb = '', ...object] = doing(actionType).split(' ');
  return object.length === 0 || object[0] === 'for' ? verb : `${verb} the same ${object.join(' ')}`;
}
