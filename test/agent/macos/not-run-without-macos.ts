/**
 * Facts that only a Mac can show. Each is a test under test/macos, which is listed as not run elsewhere; the reason names
 * the assumption that the Mac in memory makes in its place.
 */
export const NOT_RUN_WITHOUT_MACOS: readonly { name: string; reason: string }[] = [
  {
    name: 'desktop.js reads every part on a real Mac',
    reason: 'that AppKit, the window server and TCC answer the scripting bridge as the Mac in memory does',
  },
  {
    name: 'reader.js answers several calls as a process for each call does, and sees an app that started meanwhile',
    reason:
      'that a script may read its input line by line and evaluate another one, and that a turn of the run loop renews the apps',
  },
  {
    name: 'request-capture.js asks for Screen Recording without a picture',
    reason: 'that `CGRequestScreenCaptureAccess` of a child puts the app into the list, and opens one dialog at most',
  },
  {
    name: 'installed-apps.js finds Safari in its Cryptex, the Finder, and the apps of the system',
    reason: 'where this version of macOS keeps its own apps, and how it calls them in the language of the person',
  },
  {
    name: 'address-opener.js names an installed app for the addresses of the web',
    reason:
      'that `URLForApplicationToOpenURL` answers the bridge for an address that is never opened, and with which path',
  },
  {
    name: 'recognize-text.js reads a picture with Vision',
    reason: 'that Vision can be driven by the bridge, what it reads and how long it takes',
  },
  {
    name: '%s is what macOS prints',
    reason: 'whether `open` still says in this version what was recorded for apps it does not know',
  },
  {
    name: 'a window that does not exist is refused by screencapture as recorded',
    reason: 'whether `screencapture` still says in this version what was recorded, and its exit code',
  },
  {
    name: 'an error in a script reads as recorded',
    reason: 'what osascript puts before the error of a script, and its exit code',
  },
  {
    name: 'lsappinfo names the same front app as AppKit',
    reason: 'that `lsappinfo info` knows the serial number `lsappinfo front` gave, which macOS 14.0 is said not to do',
  },
  {
    name: 'tells at least one display, of which one is the main one',
    reason: 'how NSScreen counts real displays, notches and scaled modes',
  },
  {
    name: 'OpenApp brings TextEdit to the front and proves it with a process and a window',
    reason: 'that an agent in the background may bring an app to the front through `open`, and how fast windows appear',
  },
  {
    name: 'OpenApp starts an app that does not run',
    reason: 'what a starting app looks like to NSWorkspace before it has a window',
  },
  {
    name: 'OpenApp knows no app of a misspelled name and suggests the right one',
    reason: 'that LaunchServices does not guess at names',
  },
  {
    name: 'QuitApp asks an app to quit, and its process ends',
    reason: 'that `terminate` needs no permission, and how soon a process that ended leaves the list of NSWorkspace',
  },
  {
    name: 'QuitApp asks nothing of the Dock',
    reason: 'where this version of macOS keeps the apps that are parts of itself',
  },
  {
    name: 'TakeScreenshot gives the main display in physical pixels, or says that Screen Recording is missing',
    reason: 'pixels of a real display, and whether macOS tells the truth about the permission',
  },
  {
    name: 'TakeScreenshot gives each display, a region and a window at their own places and sizes',
    reason: 'that `screencapture -R` takes negative coordinates and captures other displays at their own scale',
  },
  {
    name: 'DescribeScreen tells TextEdit in front with its document',
    reason: 'the order and the layers of real windows',
  },
  {
    name: 'DescribeScreen tells controls and, with contents, the text, or says that Accessibility is missing',
    reason: 'real accessibility trees: which roles, labels and values the apps of Apple and of others give',
  },
  {
    name: 'input-events.js moves the pointer, and no own event counts as the person',
    reason:
      'that CGEvents of the bridge arrive within 30 ms, that the window server counts each of them once, and how long a call takes',
  },
  {
    name: 'keyboard-layout.js tells the characters of the keys',
    reason: 'that NSEvent translates a key that was never pressed, and that the bridge takes input sources as objects',
  },
  {
    name: 'input types a text of several scripts into TextEdit, reads it back, and clears it',
    reason: 'that an app takes the characters of an event as they are, and how soon it tells its new value',
  },
  {
    name: 'input finds every element of TextEdit by its id, and moves, minimizes and closes its window',
    reason:
      'that AXParent and AXChildren agree, that a minimized window keeps its bounds, and that AXValueCreate takes bytes',
  },
  {
    name: 'input chooses a menu item of TextEdit that was never opened',
    reason:
      'that AXPress performs an item of a closed menu, and that AXFrontmost brings an app of another program forward',
  },
  {
    name: 'clipboard.js reads what it wrote',
    reason: 'whether this version of macOS asks the person before a program reads the clipboard',
  },
  {
    name: 'RunScript in sandbox-exec works in its folder, in each language of macOS',
    reason: 'that the profile names all that programs need to start in this version of macOS',
  },
  {
    name: 'RunScript in sandbox-exec reads no secret, writes nowhere else and moves no secret out of its rules',
    reason:
      'that the rules of the profile mean what others have written about them, and which services a script can call',
  },
  {
    name: 'RunScript in sandbox-exec reaches the proxy and no other port',
    reason: 'that a rule for localhost and one port covers a connection to 127.0.0.1',
  },
  {
    name: 'RunScript runs AppleScript and JXA by osascript',
    reason: 'how osascript prints results, and that it reads a script file without an ending',
  },
  {
    name: 'macOS (real)',
    reason: 'the suite of every driver with real apps, a real password field and a real document',
  },
];
