import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchAt, type Reply } from '../client/call.ts';
import { createRequesterClient, type RequesterClient } from '../client/requester-client.ts';
import type { Action, ActionStatus, ActionSubmission } from '../contract/action.ts';
import type { Insight } from '../contract/guardian.ts';
import { WindowList } from '../contract/hands.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import type { StepSubmission, Task, TaskStatus } from '../contract/task.ts';
import type { DemoDaemon } from './daemon.ts';

/** The steps of a scripted person at the page; absent where a real person does it. */
export type ScriptedPerson = { allow(): Promise<void>; deny(): Promise<void> };

/** The voice of the demo on the terminal. */
export type Narrator = {
  /** A new part of the story, with its number. */
  scene(title: string): void;
  say(text: string): void;
  /** A call that the requester makes, as the person could make it. */
  call(line: string): void;
  /** A step for the person to take. */
  ask(text: string): void;
};

/** `isColoured`: whether the terminal shows bold and dim text. */
export function createNarrator(write: (text: string) => void, { isColoured }: { isColoured: boolean }): Narrator {
  const styled = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  let count = 0;
  return {
    scene(title) {
      count += 1;
      write(`\n${styled(1, `${count}. ${title}`)}\n`);
    },
    say: (text) => write(`   ${text}\n`),
    call: (line) => write(`   ${styled(2, `> ${line}`)}\n`),
    ask: (text) => write(`   ${styled(1, `→ ${text}`)}\n`),
  };
}

type Parts = {
  daemon: DemoDaemon;
  narrator: Narrator;
  person: ScriptedPerson | undefined;
  /** Aborts when the demo is to end. */
  signal: AbortSignal;
  pause(durationMs: number): Promise<void>;
};

type Step = Omit<StepSubmission, 'targetDeviceId'>;

/** A program that uses Handrail, as any script can. */
type Requester = Pick<RequesterClient, 'artifact' | 'guardian'> & {
  name: string;
  /** Submits an action. `waitS`: how many seconds the call may be held until the action has ended. */
  act(
    actionType: string,
    parameters: ActionSubmission['parameters'],
    options?: { reason?: string; waitS?: number },
  ): Promise<Reply<Action>>;
  /** Submits a task and waits until it has ended. */
  plan(name: string, steps: readonly Step[], reason: string): Promise<Reply<Task>>;
};

/** As long as a prompt waits for the person, and a little longer. */
const PERSON_S = 110;
const EVERYTHING = { canOpenApps: true, canCaptureScreen: true, canControlInput: true };

/** Registers a device for the requester and answers what acts on it. */
async function registerRequester(
  base: string,
  name: string,
  { deviceName, type }: { deviceName: string; type: string },
): Promise<Requester> {
  const client = createRequesterClient({ fetch: fetchAt(base), userId: name });
  const device = await client.registerDevice({ type, name: deviceName, capabilities: EVERYTHING });
  if (!device.ok) throw new Error(`The device of ${name} was not registered: ${device.failure.detail}`);
  const { id: targetDeviceId } = device.value;
  return {
    name,
    artifact: client.artifact,
    guardian: client.guardian,
    act: (actionType, parameters, { reason, waitS = PERSON_S } = {}) =>
      client.act({ targetDeviceId, actionType, parameters, reason }, { waitS }),
    plan: (taskName, steps, reason) =>
      client.submitTask(
        { name: taskName, reason, steps: steps.map((step) => ({ ...step, targetDeviceId })) },
        { waitS: PERSON_S },
      ),
  };
}

type Story = Parts & { assistant: Requester; app?: string };

/** How often a prompt that nobody answered is repeated: the person may still be on the way to the page. */
const MOST_ASKED = 5;
const APPS = {
  'own virtual desktop': ['mousepad', 'gnome-calculator', 'gedit', 'kcalc', 'xcalc'],
  'simulated desktop': ['Notes'],
} as const;
const TERMINALS = { 'own virtual desktop': 'xterm', 'simulated desktop': 'Terminal' } as const;
const BURST = 150;
const GUARDIAN_LOOKS_EVERY_S = 60;

/** The whole life of a requester, scene by scene. Resolves when the last one is over. */
export async function tellStory(parts: Parts): Promise<void> {
  const assistant = await introduce(parts);
  const story: Story = { ...parts, assistant };
  for (const scene of [describe, openApp, screenshot, hands, plan, denial, burst, whatGuardianSays]) {
    if (parts.signal.aborted) return;
    await scene(story);
    await parts.pause(1_500);
  }
}

async function introduce({ daemon, narrator }: Parts): Promise<Requester> {
  narrator.scene('A program registers a device');
  narrator.call('POST /api/tee/devices/register   x-user-id: demo-assistant');
  const assistant = await registerRequester(daemon.base, 'demo-assistant', {
    deviceName: 'Demo desktop',
    type: 'linux',
  });
  narrator.say('Any program on this computer may do that. From now on it can ask; only you can approve.');
  return assistant;
}

async function describe({ assistant, narrator }: Story): Promise<void> {
  narrator.scene('It describes the screen: low risk, so it runs at once');
  narrator.call('POST /api/tee/actions   {"actionType":"DescribeScreen"}');
  narrator.say(told(await assistant.act('DescribeScreen', {})));
}

async function openApp(story: Story): Promise<void> {
  const { assistant, narrator, daemon } = story;
  narrator.scene('It opens an app: low risk, too');
  for (const appName of APPS[daemon.desktop]) {
    narrator.call(`POST /api/tee/actions   {"actionType":"OpenApp","parameters":{"appName":"${appName}"}}`);
    const reply = await assistant.act('OpenApp', { appName });
    narrator.say(told(reply));
    if (reply.ok && reply.value.status === 'success') story.app = appName;
    if (!reply.ok || reply.value.error?.code !== 'app_not_found') return;
  }
}

async function screenshot(story: Story): Promise<void> {
  const { assistant, narrator, daemon } = story;
  narrator.scene('It wants a screenshot: medium risk, so you are asked');
  narrator.call('POST /api/tee/actions   {"actionType":"TakeScreenshot"}');
  narrator.ask('Read the prompt on the page, then choose Allow.');
  const reply = await answered(story, 'allow', () =>
    assistant.act('TakeScreenshot', {}, { reason: 'to see what is on the screen' }),
  );
  narrator.say(told(reply));
  const url = reply.ok ? reply.value.artifacts?.[0]?.url : undefined;
  const picture = url === undefined ? undefined : await assistant.artifact(url);
  if (!picture?.ok) return;
  const file = join(daemon.dataDirectory, 'screenshot.png');
  const bytes = await picture.value.bytes();
  writeFileSync(file, bytes);
  narrator.say(`The program got the picture: ${file} (${Math.round(bytes.byteLength / 1_024)} kB).`);
}

async function hands(story: Story): Promise<void> {
  const { assistant, narrator, app } = story;
  if (app === undefined) return;
  narrator.scene('It asks for access to this app once; then a click and a text in it run');
  narrator.call(
    `POST /api/tee/actions   {"actionType":"RequestAccess","parameters":{"apps":["${app}"],"allow":"input","minutes":5}}`,
  );
  narrator.ask('Read which app it is and for how long, then choose Allow.');
  const access = { apps: [app], allow: 'input', minutes: 5 };
  const reply = await answered(story, 'allow', () =>
    assistant.act('RequestAccess', access, { reason: 'to write a note' }),
  );
  narrator.say(told(reply));
  const middle = outcomeOf(reply) === 'success' ? await middleOfFront(assistant) : undefined;
  if (middle === undefined) return;
  narrator.call(`POST /api/tee/actions   {"actionType":"Click","parameters":${JSON.stringify(middle)}}`);
  narrator.say(told(await assistant.act('Click', middle)));
  narrator.call('POST /api/tee/actions   {"actionType":"TypeText","parameters":{"text":"1 + 1"}}');
  narrator.say(told(await assistant.act('TypeText', { text: '1 + 1' })));
  narrator.say('What sends, pays, deletes or shares something would still ask you.');
}

const isWindows = lazyCheck(WindowList);

async function middleOfFront(assistant: Requester): Promise<{ x: number; y: number } | undefined> {
  const reply = await assistant.act('ListWindows', {});
  const data = reply.ok ? reply.value.data : undefined;
  const front = isWindows(data) ? data.windows.find(({ focused }) => focused) : undefined;
  if (front === undefined) return undefined;
  const { x, y, width, height } = front.bounds;
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

async function plan(story: Story): Promise<void> {
  const { assistant, narrator } = story;
  narrator.scene('It submits a plan: four steps, and one prompt for all that need your approval');
  narrator.call('POST /api/tee/tasks   {"name":"Look around twice","steps":[…]}');
  narrator.ask('Scroll through the steps, then choose Allow.');
  const steps = [
    { id: 'before', actionType: 'DescribeScreen', parameters: {} },
    { id: 'first', actionType: 'TakeScreenshot', parameters: { maxWidth: 800 }, dependsOn: ['before'] },
    { id: 'wait', actionType: 'Wait', parameters: { durationMs: 500 }, dependsOn: ['first'] },
    { id: 'second', actionType: 'TakeScreenshot', parameters: { maxWidth: 400 }, dependsOn: ['wait'] },
  ];
  const reply = await answered(story, 'allow', () =>
    assistant.plan('Look around twice', steps, 'to compare two moments'),
  );
  narrator.say(`The task ended: ${outcomeOf(reply)}.`);
}

async function denial(story: Story): Promise<void> {
  const { assistant, narrator, daemon } = story;
  const appName = TERMINALS[daemon.desktop];
  narrator.scene('It asks for a terminal: high risk. Say no');
  narrator.call(`POST /api/tee/actions   {"actionType":"OpenApp","parameters":{"appName":"${appName}"}}`);
  narrator.ask('Choose Deny (or press Esc).');
  const ask = () => assistant.act('OpenApp', { appName }, { reason: 'trust me' });
  const first = await answered(story, 'deny', ask);
  narrator.say(told(first));
  if (outcomeOf(first) !== 'denied') return;
  narrator.say('It asks again at once.');
  const second = await ask();
  narrator.say(`The answer is "${outcomeOf(second)}", without a second prompt: a denial counts for ten minutes.`);
}

async function burst({ narrator, daemon }: Story): Promise<void> {
  narrator.scene(`Another program runs wild: ${BURST} requests in a few seconds`);
  const crawler = await registerRequester(daemon.base, 'demo-crawler', {
    deviceName: 'Crawler',
    type: 'linux',
  });
  narrator.call(`POST /api/tee/actions   x-user-id: ${crawler.name}   (${BURST} times)`);
  const outcomes = new Map<string, number>();
  for (let count = 0; count < BURST; count += 1) {
    const reply =
      count % 5 === 0
        ? await crawler.act('OpenApp', { appName: `no-such-app-${count}` }, { waitS: 20 })
        : await crawler.act('Wait', { durationMs: count % 7 }, { waitS: 20 });
    outcomes.set(outcomeOf(reply), (outcomes.get(outcomeOf(reply)) ?? 0) + 1);
  }
  const words = [...outcomes].map(([status, count]) => `${count} ${status}`).join(', ');
  narrator.say(`None of them needed you, so nobody was asked: ${words}.`);
}

type Listening = Pick<Story, 'narrator' | 'pause' | 'signal'> & { assistant: Pick<Requester, 'guardian'> };

/** Ends as soon as Guardian has told of the burst. */
export async function whatGuardianSays({ assistant, narrator, pause, signal }: Listening): Promise<void> {
  narrator.scene('Guardian notices');
  narrator.say(`It looks once a minute, so this may take up to ${GUARDIAN_LOOKS_EVERY_S} seconds.`);
  let reply = await assistant.guardian();
  for (let waitedS = 0; waitedS < 2 * GUARDIAN_LOOKS_EVERY_S && !signal.aborted; waitedS += 1) {
    if (reply.ok && reply.value.insights.some(isOfBurst)) break;
    await pause(1_000);
    reply = await assistant.guardian();
  }
  if (!reply.ok) return;
  const { insights, risk } = reply.value;
  for (const { severity, title } of insights.filter((each) => each.status === 'open').slice(0, 4))
    narrator.say(`[${severity}] ${title}`);
  narrator.say(`Risk: ${Math.round(risk.score)} of 100, ${risk.level}.`);
}

/** Whether an insight tells of many requests at once. Its words may change. */
function isOfBurst({ metricTypes }: Pick<Insight, 'metricTypes'>): boolean {
  return metricTypes.includes('action_burst_peak');
}

/**
 * Asks until the person has answered: a prompt that nobody answers in time means no. A scripted person would wait in vain for the prompt
 * of a call that was refused; the demo then ends with the words of the refusal.
 */
export async function answered<Asked extends Ended>(
  story: Pick<Story, 'narrator' | 'person' | 'signal'>,
  answer: 'allow' | 'deny',
  ask: () => Promise<Reply<Asked>>,
): Promise<Reply<Asked>> {
  const { narrator, person, signal } = story;
  for (let asked = 1; ; asked += 1) {
    const answering = answer === 'allow' ? person?.allow() : person?.deny();
    const asking = ask().then((reply) => {
      if (reply.ok || person === undefined) return reply;
      throw new Error(`nobody was asked, and the demo cannot go on: ${outcomeOf(reply)}: ${reply.failure.detail}`);
    });
    const [reply] = await Promise.all([asking, answering]);
    if (!isUnanswered(reply) || asked === MOST_ASKED || signal.aborted) return reply;
    narrator.say('Nobody answered in time, which means no. The program asks once more.');
  }
}

type Ended = { status: ActionStatus | TaskStatus };

function isUnanswered(reply: Reply<Ended>): boolean {
  return ['expired', 'awaiting_confirmation'].includes(outcomeOf(reply));
}

function outcomeOf(reply: Reply<Ended>): string {
  return reply.ok ? reply.value.status : reply.failure.code;
}

function told(reply: Reply<Action>): string {
  if (!reply.ok) return `${reply.failure.code}: ${reply.failure.detail}`;
  const { status, details, error } = reply.value;
  if (status === 'success') return `Done: ${details}`;
  if (status === 'denied') return 'You denied it. Nothing was done.';
  if (status === 'expired') return 'Nobody answered in time. Nothing was done.';
  return `${status}: ${error?.message ?? details}`;
}
