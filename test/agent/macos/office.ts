import { createFakeMac, type FakeApp, type FakeElement, type FakeMac, type FakeProcess } from './fake-mac.ts';

/** The texts of the document on the screen and of the password field. */
export const DOCUMENT_TEXT = 'The quarterly numbers are confidential';
export const PASSWORD = 'hunter2-secret';

export type Office = {
  mac: FakeMac;
  textEdit: FakeApp;
  textEditProcess: FakeProcess;
  browser: FakeApp;
};

/** A Mac with a document and a web page with a password field open, and a few more apps installed. */
export function createOffice(): Office {
  const textEdit = application('/System/Applications/TextEdit.app', 'com.apple.TextEdit', {
    window: {
      title: 'notes.txt',
      bounds: { x: 100, y: 80, width: 600, height: 400 },
      element: documentWindow(),
    },
  });
  const browser = application('/Applications/Google Chrome.app', 'com.google.Chrome', {
    frameworks: ['Google Chrome Framework'],
    buildsTree: 'when looked at',
    window: {
      title: 'Sign in',
      bounds: { x: 200, y: 150, width: 900, height: 700 },
      element: loginWindow(),
    },
  });
  const mac = createFakeMac({ installed: [textEdit, browser, ...others()], opensAddresses: browser.path });
  mac.launch(browser);
  const textEditProcess = mac.launch(textEdit);
  textEditProcess.menuBar = menuBar();
  return { mac, textEdit, textEditProcess, browser };
}

export function application(path: string, bundleId: string | null, more: Partial<FakeApp> = {}): FakeApp {
  return { path, bundleId, ...more };
}

function others(): FakeApp[] {
  const window = { title: 'Untitled', bounds: { x: 300, y: 200, width: 500, height: 300 }, element: null };
  return [
    application('/System/Applications/Notes.app', 'com.apple.Notes', { window }),
    application('/System/Applications/VoiceMemos.app', 'com.apple.VoiceMemos', { displayName: 'Voice Memos', window }),
    application('/System/Applications/Utilities/Terminal.app', 'com.apple.Terminal', { window }),
    application('/System/Cryptexes/App/System/Applications/Safari.app', 'com.apple.Safari', { window }),
    application('/System/Library/CoreServices/Finder.app', 'com.apple.finder', { window }),
    application('/Applications/Silent.app', 'org.example.silent'),
    application('/Applications/Menu Extra.app', 'org.example.extra', { policy: 'accessory' }),
    application('/Applications/Broken.app', 'org.example.broken', { launch: 'broken' }),
    application('/Applications/Brief.app', 'org.example.brief', { launch: 'dies' }),
  ];
}

function documentWindow(): FakeElement {
  return {
    role: 'AXWindow',
    subrole: 'AXStandardWindow',
    title: 'notes.txt',
    bounds: { x: 100, y: 80, width: 600, height: 400 },
    children: [
      {
        role: 'AXScrollArea',
        bounds: { x: 100, y: 120, width: 600, height: 360 },
        children: [
          {
            role: 'AXTextArea',
            description: 'document',
            value: DOCUMENT_TEXT,
            focused: true,
            bounds: { x: 100, y: 120, width: 600, height: 360 },
            actions: ['AXShowMenu'],
          },
        ],
      },
      {
        role: 'AXButton',
        subrole: 'AXCloseButton',
        bounds: { x: 108, y: 88, width: 14, height: 16 },
        actions: ['AXPress'],
      },
      {
        role: 'AXTable',
        bounds: { x: 100, y: 440, width: 600, height: 40 },
        children: [row('Alice 4,200'), row('Bob 3,900'), { role: 'AXColumn' }],
        visibleRows: [row('Alice 4,200')],
        header: {
          role: 'AXGroup',
          children: [{ role: 'AXButton', title: 'Name', bounds: { x: 100, y: 430, width: 80, height: 10 } }],
        },
      },
    ],
  };
}

function row(text: string): FakeElement {
  return {
    role: 'AXRow',
    subrole: 'AXTableRow',
    bounds: { x: 100, y: 440, width: 600, height: 20 },
    children: [{ role: 'AXCell', children: [{ role: 'AXStaticText', value: text }] }],
  };
}

function loginWindow(): FakeElement {
  const label: FakeElement = { role: 'AXStaticText', value: 'Password' };
  return {
    role: 'AXWindow',
    subrole: 'AXStandardWindow',
    title: 'Sign in',
    bounds: { x: 200, y: 150, width: 900, height: 700 },
    children: [
      {
        role: 'AXToolbar',
        children: [{ role: 'AXTextField', description: 'Address', value: 'https://example.org/login' }],
      },
      {
        role: 'AXWebArea',
        description: 'Sign in to Example',
        bounds: { x: 200, y: 220, width: 900, height: 630 },
        page: {
          afterMs: 250,
          children: [
            { role: 'AXHeading', title: 'Welcome back, Dana' },
            {
              role: 'AXTextField',
              subrole: 'AXSecureTextField',
              value: PASSWORD,
              titleElement: label,
              bounds: { x: 300, y: 300, width: 200, height: 24 },
              children: [{ role: 'AXStaticText', value: PASSWORD }],
            },
            { role: 'AXCheckBox', title: 'Remember me', value: 1, actions: ['AXPress'] },
            { role: 'AXButton', title: 'Sign in', enabled: false, actions: ['AXPress', 'AXShowMenu'] },
            { role: 'AXLink', title: 'Forgot it?' },
          ],
        },
      },
    ],
  };
}

function menuBar(): FakeElement {
  const size = { x: 0, y: 0, width: 50, height: 24 };
  const closed: FakeElement = {
    role: 'AXMenu',
    children: [{ role: 'AXMenuItem', title: 'Open Recent: salaries.txt' }],
  };
  return {
    role: 'AXMenuBar',
    bounds: { x: 0, y: 0, width: 1512, height: 24 },
    children: [
      { role: 'AXMenuBarItem', title: 'File', bounds: size, children: [closed], actions: ['AXPress'] },
      {
        role: 'AXMenuBarItem',
        title: 'Edit',
        selected: true,
        bounds: size,
        children: [
          {
            role: 'AXMenu',
            bounds: { x: 50, y: 24, width: 200, height: 300 },
            children: [{ role: 'AXMenuItem', title: 'Undo', bounds: size, actions: ['AXPress'] }],
          },
        ],
      },
    ],
  };
}
