import { contextBridge, ipcRenderer } from 'electron';
import { channelOf, SHELL_BRIDGE, SHELL_CALL_NAMES } from '../contract/shell-calls.ts';

/**
 * Gives the page the calls to the shell, one function for each, and nothing else of electron. It is bundled to one CommonJS file:
 * the preload script of a sandboxed page can require no file of its own.
 */
const calls = SHELL_CALL_NAMES.map((name) => [
  name,
  (request: unknown): Promise<unknown> => ipcRenderer.invoke(channelOf(name), request),
]);

contextBridge.exposeInMainWorld(SHELL_BRIDGE, Object.fromEntries(calls));
