import { Type } from 'typebox';
import { Device, DeviceRegistration } from '../../contract/device.ts';
import { pageOf } from '../../contract/list.ts';
import type { Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_USER } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import { PAGE, pageRequest, queryDocumentation, readQuery } from '../query.ts';
import { listAnswer, responses, USER_PROBLEMS, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Devices'], security: AS_USER };
const params = idOf('devices');

export function addDeviceRoutes(app: App, { devices }: Pick<Services, 'devices'>): void {
  const register = {
    ...about,
    operationId: 'registerDevice',
    summary: 'Register a device; the very same registration again answers with the same device',
    body: DeviceRegistration,
    response: responses({ 200: Device, 201: Device }, [
      ...USER_PROBLEMS,
      ...WRITE_PROBLEMS,
      'machine_unknown',
      'device_type_mismatch',
    ]),
  };
  app.post('/devices/register', { schema: register }, (request, reply) => {
    const refusal = devices.refusalFor(request.body);
    if (refusal !== undefined) return reply.send(refusal);
    const { created, device } = devices.register(request.userId, request.body);
    if (created) reply.code(201).header('location', `/api/tee/devices/${device.id}`);
    return reply.send(device);
  });

  const list = {
    ...about,
    operationId: 'listDevices',
    summary: "The caller's devices",
    querystring: queryDocumentation(PAGE),
    response: responses({ 200: pageOf(Device) }, [...USER_PROBLEMS, 'validation_failed']),
  };
  app.get('/devices', { schema: list }, async (request, reply) => {
    const query = readQuery(request.query, PAGE);
    if (isRefusal(query)) return query;
    const page = await devices.list(request.userId, pageRequest(query.values));
    return listAnswer(reply, page, query.notices);
  });

  const get = {
    ...about,
    operationId: 'getDevice',
    summary: 'One device',
    params,
    response: responses({ 200: Device }, [...USER_PROBLEMS, 'device_not_found']),
  };
  app.get('/devices/:id', { schema: get }, (request, reply) =>
    reply.send(devices.get(request.userId, request.params.id)),
  );

  const remove = {
    ...about,
    operationId: 'deleteDevice',
    summary: 'Forget a device; its running work is cancelled',
    params,
    response: responses({ 204: Type.Null() }, [...USER_PROBLEMS, ...WRITE_PROBLEMS, 'device_not_found']),
  };
  app.delete('/devices/:id', { schema: remove }, (request, reply) => {
    const refusal = devices.remove(request.userId, request.params.id);
    return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
  });
}
