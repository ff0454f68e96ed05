// The bundle of the listener for webhooks; loaded when somebody wants one.
export { readForgeKey } from './forgeKey.ts';
export { createHookPath } from './hookPath.ts';
export { openListener } from './openListener.ts';
