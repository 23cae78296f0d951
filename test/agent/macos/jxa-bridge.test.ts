import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runScript } from './jxa-bridge.ts';
import { createOffice } from './office.ts';

const folder = mkdtempSync(join(tmpdir(), 'jxa-bridge-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a body of statements as a script would run on a Mac; the last of them returns what is printed. */
function evaluate(body: string) {
  const path = join(folder, 'script.js');
  writeFileSync(path, `function run(argv) { ${body} }`);
  return runScript(createOffice().mac, path, []);
}

const APP = "ObjC.import('AppKit'); const app = $.NSWorkspace.sharedWorkspace.frontmostApplication;";
const ELEMENT = `
  ObjC.import('AppKit');
  ObjC.bindFunction('AXUIElementCreateApplication', ['id', ['int']]);
  const pid = $.NSWorkspace.sharedWorkspace.frontmostApplication.processIdentifier;
  const element = $.AXUIElementCreateApplication(pid);
  const out = Ref();`;

test.each([
  ['a wrapped string is no string', `${APP} return String(app.localizedName === 'TextEdit')`, 'false'],
  [
    'joined to a text, a wrapped string is of no use',
    `${APP} return 'in front: ' + app.localizedName`,
    'in front: [id NSString]',
  ],
  ['unwrapped, it is a string', `${APP} return ObjC.unwrap(app.localizedName)`, 'TextEdit'],
  ['nil is true', `${APP} return String(Boolean(app.bundleURL) && Boolean($()))`, 'true'],
  ['nil says so', 'return String($().isNil())', 'true'],
  ['nil unwraps to undefined', 'return String(ObjC.unwrap($()))', 'undefined'],
  [
    'a reference has to be cast',
    "ObjC.import('CoreGraphics'); return String(Array.isArray(ObjC.deepUnwrap($.CGWindowListCopyWindowInfo(17, 0))))",
    'false',
  ],
  [
    'cast, it can be unwrapped',
    "ObjC.import('CoreGraphics'); return String(ObjC.deepUnwrap(ObjC.castRefToObject($.CGWindowListCopyWindowInfo(17, 0))).length)",
    '2',
  ],
  [
    'an out-parameter of a function that was not declared stays empty',
    `${ELEMENT} $.AXUIElementCopyAttributeValue(element, 'AXRole', out); return String(out[0])`,
    'undefined',
  ],
  [
    'of a declared one it is filled',
    `${ELEMENT} ObjC.bindFunction('AXUIElementCopyAttributeValue', ['int', ['id', 'id', 'id*']]);
     const code = $.AXUIElementCopyAttributeValue(element, 'AXRole', out); return code + ' ' + ObjC.unwrap(out[0])`,
    '0 AXApplication',
  ],
  [
    'there is nothing of Node',
    "return [typeof require, typeof process, typeof setTimeout].join(' ')",
    'undefined undefined undefined',
  ],
])('%s', (_title, body, printed) => {
  expect(evaluate(body)).toEqual({ ok: true, result: printed });
});

test.each([
  ['a class of a framework that was not imported is unknown', 'return $.NSWorkspace.sharedWorkspace'],
  [
    'a function that has to be declared is unknown until it is',
    "ObjC.import('CoreGraphics'); return $.CGPreflightScreenCaptureAccess()",
  ],
  [
    'a declaration has to be right',
    "ObjC.import('AppKit'); ObjC.bindFunction('AXUIElementCreateApplication', ['id', ['id']]); return $.AXUIElementCreateApplication(1)",
  ],
  [
    'a JavaScript array is no NSArray',
    "ObjC.import('Vision'); return $.VNImageRequestHandler.alloc.initWithURLOptions($(), []).performRequestsError([], null)",
  ],
  ['an object is not called', `${APP} return app.localizedName()`],
])('%s', (_title, body) => {
  expect(evaluate(body)).toMatchObject({ ok: false, error: expect.stringMatching(/^TypeError/) });
});
