/** The native views, as package.json contributes them. */
export const viewIds = ['forge.tickets', 'forge.lists', 'forge.repositories'] as const;
export type ViewId = (typeof viewIds)[number];

/** What a view shows instead of rows; a context key `<view id>.state` carries it to the welcome texts. */
export type ViewState = 'loading' | 'signedOut' | 'empty' | 'failed' | 'offline' | 'ready';
