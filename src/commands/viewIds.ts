/** Native views, contributed in package.json. */
export const viewIds = [
	'forge.inbox',
	'forge.tickets',
	'forge.lists',
	'forge.repositories',
	'forge.search',
	'forge.history',
] as const;
export type ViewId = (typeof viewIds)[number];
export type ViewName = ViewId extends `forge.${infer Name}` ? Name : never;

/** Placeholder state of a view. The context key `<view id>.state` passes it to the welcome texts. */
export type ViewState = 'loading' | 'signedOut' | 'empty' | 'failed' | 'offline' | 'ready';

/**
 * Why a view has no rows in the states `failed` and `offline`. The editor shows a view's welcome text only while its
 * message is empty. So the context key `<view id>.problem` passes the reason, and package.json has one text for each.
 */
export const viewProblems = [
	'cancelled',
	'signIn',
	'busy',
	'notAllowed',
	'server',
	'other',
	'network',
	'certificate',
	'proxy',
] as const;
export type ViewProblem = (typeof viewProblems)[number];

/** Pages. The type of a webview panel is this name with the prefix `forge.`. */
export const panelNames = ['ticket', 'thread', 'patchset', 'person', 'repository', 'commit'] as const;
export type PanelName = (typeof panelNames)[number];
