import { type Command, CommandError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { runAction } from '../follow-action.ts';
import { readParameters } from '../parameters.ts';
import { answered, type Requester } from '../requester.ts';

export const act: Command = {
  name: 'act',
  summary: 'do any action by the name of its type',
  argument: {
    form: '<type>',
    description: 'such as Click; a name that does not exist lists all',
    usual: async () => Object.keys((await import('../../contract/action-data.ts')).ACTION_DATA),
  },
  rest: { form: '[parameters...]', description: 'key=value; key:=json for lists and objects' },
  options: [{ flags: '--reason <text>', description: 'your reason, shown where Handrail asks' }],
  isRequester: true,
  examples: [
    'handrail act Wait durationMs=500',
    'handrail act RequestAccess \'apps:=["Mousepad"]\' allow=input minutes=30',
    'handrail act Click x=400 y=300',
    'handrail act TypeText text="Dear Ann,"',
    'handrail act PressKeys keys=ctrl+s',
    'handrail act TakeScreenshot \'region:={"x":0,"y":0,"width":400,"height":300}\'',
  ],
  run: (invocation) => {
    const [actionType = '', ...words] = invocation.words;
    const wanted = async (requester: Requester) => {
      const schema = await schemaOf(requester, actionType);
      return { actionType, parameters: readParameters(words, schema) };
    };
    return runAction(invocation, wanted, ({ details, data }) =>
      data === undefined ? details : `${details}\n${JSON.stringify(data, undefined, 2)}`,
    );
  },
};

async function schemaOf({ client }: Requester, name: string): Promise<unknown> {
  const { items } = await answered(client.actionTypes());
  const found = items.find((type) => type.name === name);
  if (found !== undefined) return found.parameters;
  const names = items.map((type) => type.name).join(', ');
  throw new CommandError(`There is no action type "${name}". There are ${names}.`, EXIT.usage);
}
