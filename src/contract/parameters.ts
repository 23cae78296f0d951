import { type Static, Type } from 'typebox';
import { closed, oneOf } from './literals.ts';

/** Parameters of each action type, as callers send them and as the agent receives them. */

/** Names such as `HDMI-A-1` or `69733382`. Neither spaces nor punctuation that could make a sentence of it in a prompt. */
const DisplayId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:+-]{0,31}$',
  description: 'id of a display of the device',
});

/** The name of a frame of the text form: random, so that no other requester can ask what changed since it. */
export const FRAME_NAME = '^[a-z0-9]{8}$';

export const DescribeScreenParameters = Type.Object(
  {
    contents: Type.Optional(Type.Boolean({ description: 'also values, texts, OCR; private as a screenshot' })),
    display: Type.Optional(DisplayId),
    settle: Type.Optional(Type.Boolean({ description: 'waits for rest' })),
    maxElements: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: '1,500 by default' })),
    format: Type.Optional(
      oneOf(['json', 'text'], {
        description: 'text: a line a node, for a model; depth, region, bounds and since need it',
      }),
    ),
    depth: Type.Optional(oneOf(['overview', 'whole'], { description: 'windows and focus, or all' })),
    region: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'window id or @ref' })),
    bounds: Type.Optional(Type.Boolean({ description: 'places' })),
    since: Type.Optional(Type.String({ pattern: FRAME_NAME, description: 'changes since this frameId' })),
  },
  closed,
);
export type DescribeScreenParameters = Static<typeof DescribeScreenParameters>;

const WindowId = Type.String({ minLength: 1, maxLength: 64 });

/** The parameters of the question which window has an id. */
/** `hidden`: it may also be minimized. */
export const ResolveWindowParameters = Type.Object(
  { windowId: WindowId, hidden: Type.Optional(Type.Boolean()) },
  closed,
);
export type ResolveWindowParameters = Static<typeof ResolveWindowParameters>;

export const ImageFormat = oneOf(['png', 'jpeg', 'webp']);
export type ImageFormat = Static<typeof ImageFormat>;

export const TakeScreenshotParameters = Type.Object(
  {
    display: Type.Optional(DisplayId),
    region: Type.Optional(
      Type.Object(
        {
          x: Type.Integer(),
          y: Type.Integer(),
          width: Type.Integer({ minimum: 1, maximum: 32_767 }),
          height: Type.Integer({ minimum: 1, maximum: 32_767 }),
        },
        { ...closed, description: "in the displays' units" },
      ),
    ),
    windowId: Type.Optional(WindowId),
    format: Type.Optional(ImageFormat),
    maxWidth: Type.Optional(Type.Integer({ minimum: 16, maximum: 16_384 })),
    maxEdge: Type.Optional(Type.Integer({ minimum: 16, maximum: 16_384, description: 'of the longer edge' })),
    maxPixels: Type.Optional(Type.Integer({ minimum: 256, maximum: 268_435_456, description: 'of the whole picture' })),
    marks: Type.Optional(Type.Boolean({ description: 'numbers elements; 12 is @12' })),
    quality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'of jpeg and webp; 80 by default' })),
  },
  closed,
);
export type TakeScreenshotParameters = Static<typeof TakeScreenshotParameters>;

const AppName = Type.String({ minLength: 1, maxLength: 200, description: 'display name, or bundle or desktop id' });

export const OpenAppParameters = Type.Object({ appName: AppName }, closed);
export type OpenAppParameters = Static<typeof OpenAppParameters>;

export const QuitAppParameters = Type.Object({ appName: AppName }, closed);
export type QuitAppParameters = Static<typeof QuitAppParameters>;

export const MAX_WAIT_MS = 60_000;
export const WaitParameters = Type.Object({ durationMs: Type.Integer({ minimum: 0, maximum: MAX_WAIT_MS }) }, closed);
export type WaitParameters = Static<typeof WaitParameters>;
