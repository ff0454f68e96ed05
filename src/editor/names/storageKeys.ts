/*
 * Storage keys that the shell checks before it loads the desk in the background.
 */

/** Global storage: true while any account is signed in. */
export const signedInKey = 'forge.signedIn';

/** Workspace storage: tickets with started work. */
export const workKey = 'forge.work';

/** Workspace storage: set while a patchset from this workspace is stopped. */
export const applyingKey = 'forge.applying';

/** Workspace storage: lines of our own that the last applied patchset got. */
export const applyOptionsKey = 'forge.applyOptions';

/** Global storage: a place in a clone that the next window shows. */
export const continueKey = 'forge.continueInClone';
