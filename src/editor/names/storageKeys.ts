/*
 * Names in the editor's storage at which the shell looks before it opens the desk for something that nobody asked for.
 */

/** In the storage for all windows: true while somebody is signed in. */
export const signedInKey = 'forge.signedIn';

/** In the workspace's storage: work on tickets that was started here. */
export const workKey = 'forge.work';

/** In the workspace's storage: set while a patchset that was applied from here is stopped. */
export const applyingKey = 'forge.applying';

/** In the storage for all windows: a place in a clone that a window is to show once it has opened it. */
export const continueKey = 'forge.continueInClone';
