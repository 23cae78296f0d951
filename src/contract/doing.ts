/** An action type as a verb in a sentence for a person, such as `open app`. */
export function doing(actionType: string): string {
  return actionType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
