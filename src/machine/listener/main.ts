// Bundle of the webhook listener, loaded on first use.
export { readForgeKey } from './forgeKey.ts';
export { createHookPath } from './hookPath.ts';
export { openListener } from './openListener.ts';
