import { type Static, Type } from 'typebox';
import { Action, Evidence } from './action.ts';
import { ConfirmationStatus } from './console.ts';
import { StreamEvent } from './event.ts';
import { ConfirmationId, DeviceId, Timestamp } from './ids.ts';
import { closed, oneOf } from './literals.ts';
import { CallingProgram } from './program.ts';

/** An action in the person's log, in the words that the person was asked with. */
export const ListedAction = Type.Object(
  {
    ...Action.properties,
    sentence: Type.Optional(Type.String({ description: 'verb and object, as long as the arguments are kept' })),
  },
  closed,
);
export type ListedAction = Static<typeof ListedAction>;

/** The prompt that an action waited for, its own or that of its task's plan. */
export const AnsweredPrompt = Type.Object(
  {
    id: ConfirmationId,
    about: oneOf(['action', 'plan']),
    status: ConfirmationStatus,
    shownAt: Type.Optional(Timestamp),
    decidedAt: Type.Optional(Timestamp),
    presence: Type.Optional(Type.String({ description: 'how the person proved to be there, such as hold' })),
  },
  closed,
);
export type AnsweredPrompt = Static<typeof AnsweredPrompt>;

/** Everything that is kept about one action. Contents are absent once their retention has passed. */
export const ActivityDetail = Type.Object(
  {
    action: Action,
    device: Type.Object({ id: DeviceId, name: Type.String() }, closed),
    sentence: Type.Optional(Type.String({ description: 'verb and object, as long as the arguments are kept' })),
    arguments: Type.Optional(
      Type.String({ description: 'canonical JSON, complete, invisible characters as escapes; kept for 24 hours' }),
    ),
    window: Type.Optional(Type.String({ description: 'the window that the arguments named' })),
    rule: Type.String({ description: 'the rule that judged it' }),
    grantId: Type.Optional(Type.String({ description: 'the grant that let it through' })),
    prompt: Type.Optional(AnsweredPrompt),
    program: Type.Optional(CallingProgram),
    evidence: Type.Optional(
      Type.Array(Evidence, {
        description: 'pictures of the target of an input, before and after it; no requester can get them',
      }),
    ),
    journal: Type.Array(StreamEvent, { description: 'its rows of the journal, oldest first' }),
  },
  closed,
);
export type ActivityDetail = Static<typeof ActivityDetail>;
