/** Marks a ticket, thread or patchset: never opened by this account, or changed since. */
export type Mark = 'new' | 'changed';
