/** Why something is marked, a ticket, a conversation or a patchset: nobody of this account has opened it yet, or it changed since. */
export type Mark = 'new' | 'changed';
