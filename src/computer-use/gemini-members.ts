import {
  type Fault,
  type Input,
  isWaitable,
  type Members,
  pictureOf,
  type Step,
  screenshot,
  unfitWait,
  type View,
  waitingFor,
  waitOf,
} from './member.ts';
import type { PictureLimits } from './picture-size.ts';

export const GEMINI_PICTURE: PictureLimits = { width: 1_440, height: 900, pixels: Number.POSITIVE_INFINITY };

/** The functions of the computer use tool, for browsers and for desktops. Each answers with a picture. */
export const GEMINI_MEMBERS: Members = new Map([
  ['take_screenshot', screenshot],
  ['wait_5_seconds', { steps: (_input, view) => [waitOf(5), pictureOf(view)] }],
  ['wait', { steps: wait }],
  ['open_app', { steps: openApp }],
  ...waitingFor({
    Click: ['click_at', 'click', 'double_click', 'triple_click', 'middle_click', 'right_click', 'long_press'],
    MovePointer: ['hover_at', 'move'],
    Drag: ['drag_and_drop', 'mouse_down', 'mouse_up'],
    Scroll: ['scroll_document', 'scroll_at', 'scroll'],
    TypeText: ['type_text_at', 'type'],
    PressKeys: ['key_combination', 'go_back', 'go_forward', 'press_key', 'key_down', 'key_up', 'hotkey'],
    OpenUrl: ['open_web_browser', 'search', 'navigate'],
  }),
]);

function wait({ seconds }: Input, view: View): Step[] | Fault {
  return isWaitable(seconds) ? [waitOf(seconds), pictureOf(view)] : unfitWait('seconds');
}

function openApp({ app_name: appName }: Input, view: View): Step[] | Fault {
  if (typeof appName !== 'string') return { fault: 'app_name is expected: the name of an app.' };
  return [{ actionType: 'OpenApp', parameters: { appName } }, pictureOf(view)];
}
