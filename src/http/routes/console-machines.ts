import type { TSchema } from 'typebox';
import { Machine } from '../../contract/machine.ts';
import { MachineList, MachineView } from '../../contract/machine-view.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const ADDITION = withExample(Machine, { name: 'studio', address: 'ann@studio.local' });

/** The person's other machines. */
export function addMachineRoutes(app: App, { machines }: ConsoleService): void {
  app.get('/machines', { schema: about('listMachines', 'Your other machines', MachineList) }, (_request, reply) =>
    reply.send(machines.list()),
  );
  const add = { ...about('addMachine', 'Add a machine, reached by ssh', MachineList), body: ADDITION };
  app.post('/machines', { schema: add }, (request, reply) => reply.send(machines.add(request.body)));
  const test = { ...about('testMachine', 'Try to reach a machine now', MachineView), params: idOf('machines') };
  app.post('/machines/:id/test', { schema: test }, async (request, reply) =>
    reply.send(await machines.tryNow(request.params.id)),
  );
  const remove = {
    ...about(
      'deleteMachine',
      'Remove a machine with its devices and grants; its running work is cancelled',
      MachineList,
    ),
    params: idOf('machines'),
  };
  app.delete('/machines/:id', { schema: remove }, (request, reply) => reply.send(machines.remove(request.params.id)));
}

function about<Answer extends TSchema>(operationId: string, summary: string, answer: Answer) {
  const response = responses({ 200: answer }, [
    ...PERSON_PROBLEMS,
    ...WRITE_PROBLEMS,
    'validation_failed',
    'not_found',
  ]);
  return { tags: ['Console'], security: AS_PERSON, operationId, summary, response };
}
