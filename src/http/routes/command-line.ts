import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { closed } from '../../contract/literals.ts';
import { COMMAND_LINE_PATH, PersonVerb, type PersonVerbAnswer, PersonVerbRequest } from '../../contract/person-verb.ts';
import type { Descends } from '../../peers/find-caller.ts';
import type { App } from '../app.ts';
import { bearerToken } from '../identity.ts';
import { LARGE_BODY_BYTES } from '../limits.ts';
import type { AskingPrograms } from '../peers.ts';
import { refuse } from '../problem-response.ts';

/** The person's verbs of the command line. */
export type PersonVerbs = Record<PersonVerb, (asked: PersonVerbRequest) => Promise<PersonVerbAnswer>>;

export type CommandLine = {
  /** Stands in a file that only the OS user of the daemon can read. */
  key: string;
  verbs: PersonVerbs;
  descends: Descends;
};

/**
 * The person's verbs. The key shows that the caller reads the files of the daemon's OS user, which a web page, another user and a
 * confined program do not. That does not tell the person from a script that got out of its sandbox, or from an agent, so the system also
 * tells which program calls.
 */
export function addCommandLineRoutes(
  app: App,
  { key, verbs, descends }: CommandLine,
  asking: Pick<AskingPrograms, 'isOf'>,
): void {
  const schema = { hide: true, params: Type.Object({ verb: PersonVerb }, closed), body: PersonVerbRequest };
  app.route({
    method: 'POST',
    url: `${COMMAND_LINE_PATH}/:verb`,
    schema,
    // A flood of others must not keep the person from the stop.
    config: { unlimited: true },
    bodyLimit: LARGE_BODY_BYTES,
    onRequest: (request, reply, done) => {
      // guard X16-1
      if (isEqual(bearerToken(request), key)) done();
      else reply.send(WRONG_KEY);
    },
    async handler(request, reply) {
      const { verb } = request.params;
      const needed = PROOF[verb];
      if (needed !== undefined && !(await isStranger(request, descends, asking))) {
        return reply.send({
          declined: `Handrail gives no ${needed} to a program that it started, that asked you for something or was started by one that did, or that it cannot name. Use a terminal that you opened yourself.`,
        });
      }
      return reply.send(await verbs[verb](request.body));
    },
  });
}

/** The answer of a verb must not reach a program that the daemon started. The stop itself is open to all. */
const PROOF: Partial<Record<PersonVerb, string>> = {
  login: 'sign-in code',
  resume: 'end of the stop',
  policy: 'profile of yours',
  'policy-diff': 'record of what others did',
  'machine-add': 'new machine',
  'machine-remove': 'end of a machine',
};

/**
 * Whether the system names one program at the connection since it was made, and neither the daemon nor a program that asked the person
 * for something started it.
 */
async function isStranger(
  request: FastifyRequest,
  descends: Descends,
  asking: Pick<AskingPrograms, 'isOf'>,
): Promise<boolean> {
  const program = await request.callingProgram();
  if (program.kind !== 'program' || program.changedFrom !== undefined || asking.isOf(program)) return false; // guard X14-2
  return (await descends(program.pid, process.pid)) === false; // guard X14-1
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

const WRONG_KEY = refuse(
  'not_found',
  'Only the command line of the OS user who runs this Handrail is answered here, and only where Handrail runs without an app.',
);
